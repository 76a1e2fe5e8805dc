// Asking memory for a line before it is needed.
#pragma once

namespace pathfront {

inline void prefetch(const void* address) { __builtin_prefetch(address); }

// The same for a line that will be written: no other core has it then, and a compare-and-swap need not wait. Compilers
// make a plain prefetch of the builtin unless they are told which processor it is for.
inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
    __builtin_prefetch(address, 1);
#endif
}

} // namespace pathfront
