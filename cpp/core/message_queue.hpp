// Messages from one thread to another: a ring buffer with a single producer (the sender) and a single consumer (the
// receiver).
//
// Both counts only rise. The sender publishes its count once for many messages, so that its cache line is transferred
// once for all of them; the receiver reads the messages in the order of memory.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

namespace pathfront {

template <class Message>
class MessageQueue {
  public:
    explicit MessageQueue(std::uint64_t capacity)
        : mask_(std::bit_ceil(capacity) - 1), messages_(std::make_unique_for_overwrite<Message[]>(mask_ + 1)) {}

    // For the sender: adds a message; false if there is no room.
    bool put(const Message& message) {
        if (written_ - room_from_ > mask_) {
            room_from_ = taken_.load(std::memory_order_acquire); // the receiver has read the overwritten messages
            if (written_ - room_from_ > mask_)
                return false;
        }
        messages_[written_++ & mask_] = message;
        return true;
    }

    // For the sender: publishes the added messages; false if there are none.
    bool send() {
        if (sent_.load(std::memory_order_relaxed) == written_)
            return false;
        sent_.store(written_, std::memory_order_seq_cst); // before the sender checks for a sleeping thread
        return true;
    }

    // For the sender: whether the receiver has read all added messages.
    bool all_taken() const { return taken_.load(std::memory_order_seq_cst) == written_; }

    // For the receiver.
    bool empty() const { return sent_.load(std::memory_order_seq_cst) == read_; }

    // For the receiver: calls read(message) for every published message and then counts them as taken; false if there
    // are none.
    template <class Read>
    bool take(Read&& read) {
        const std::uint64_t sent = sent_.load(std::memory_order_acquire);
        if (sent == read_)
            return false;
        for (; read_ != sent; ++read_)
            read(messages_[read_ & mask_]);
        taken_.store(read_, std::memory_order_seq_cst); // before the receiver checks for one
        return true;
    }

    // For any thread: the number of messages so far.
    std::uint64_t sent() const { return sent_.load(std::memory_order_seq_cst); }
    std::uint64_t taken() const { return taken_.load(std::memory_order_seq_cst); }

  private:
    const std::uint64_t mask_;
    const std::unique_ptr<Message[]> messages_;
    alignas(128) std::atomic<std::uint64_t> sent_{0};
    alignas(128) std::atomic<std::uint64_t> taken_{0};
    alignas(128) std::uint64_t written_ = 0, room_from_ = 0; // the sender's
    alignas(128) std::uint64_t read_ = 0;                    // the receiver's
};

} // namespace pathfront
