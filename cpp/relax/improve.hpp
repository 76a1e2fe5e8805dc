// Reading and lowering distances, alone and among threads.
#pragma once

#include <atomic>
#include <thread>

#include "core/csr.hpp"

namespace pathfront {

// Which threads write distances during a search.
enum class Writers {
    one,    // the calling thread alone
    all,    // any thread writes any vertex, by compare-and-swap
    racing, // any thread writes any vertex, by a plain store: a smaller distance may be overwritten, see
            // schedule/bag.hpp
    owner,  // every vertex has one thread that writes it; others read it
};

template <Writers writers, class T>
T load(const T* cell) {
    if constexpr (writers != Writers::one)
        return std::atomic_ref<T>(*const_cast<T*>(cell)).load(std::memory_order_relaxed);
    else
        return *cell;
}

template <Writers writers, class T>
void store(T* cell, T value) {
    if constexpr (writers != Writers::one)
        std::atomic_ref<T>(*cell).store(value, std::memory_order_relaxed);
    else
        *cell = value;
}

// Lowers a distance that other threads may lower, too. False if it is not above `sum` any more. `before` receives the
// last value read.
template <class D>
bool lower(D* dist, D sum, D& before) {
    const std::atomic_ref<D> cell(*dist);
    before = cell.load(std::memory_order_relaxed);
    while (sum < before)
        if (cell.compare_exchange_weak(before, sum, std::memory_order_relaxed))
            return true;
    return false;
}

template <class D>
bool lower(D* dist, D sum) {
    D before;
    return lower(dist, sum, before);
}

// Lowers a distance and writes its parent. Two words cannot be swapped at once, so the parent serves as the lock of
// both.
template <class D>
bool lower_with_parent(D* dist, Vertex* parent, D sum, Vertex tail, D& before) {
    constexpr Vertex locked = no_vertex - 1;
    const std::atomic_ref<D> cell(*dist);
    before = cell.load(std::memory_order_relaxed);
    if (sum >= before)
        return false;
    const std::atomic_ref<Vertex> lock(*parent);
    Vertex old;
    // acquire: the distance that the last holder wrote is seen
    for (int tries = 1; (old = lock.exchange(locked, std::memory_order_acquire)) == locked; ++tries)
        if (tries % 64 == 0)
            std::this_thread::yield(); // the holder may need this core
    before = cell.load(std::memory_order_relaxed);
    const bool better = sum < before;
    if (better)
        cell.store(sum, std::memory_order_relaxed);
    lock.store(better ? tail : old, std::memory_order_release);
    return better;
}

} // namespace pathfront
