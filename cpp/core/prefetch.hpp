// Prefetching a cache line before it is needed.
#pragma once

namespace pathfront {

// As an instruction, not as the compiler's builtin, on processors whose instruction is known: a function that does
// nothing but prefetch has no effect in GCC's eyes, and where it is not inlined, calls of it are removed. Whether it is
// inlined depends on the size of its surroundings: one build lost the prefetches of a search's arcs that way, another
// kept them.
inline void prefetch(const void* address) {
#if defined(__x86_64__)
    asm volatile("prefetcht0 %0" : : "m"(*static_cast<const char*>(address)));
#else
    __builtin_prefetch(address);
#endif
}

// The same for a line that will be written: no other core has it then, and a compare-and-swap need not wait. Compilers
// make a plain prefetch of the builtin unless they know the processor.
inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
    __builtin_prefetch(address, 1);
#endif
}

} // namespace pathfront
