/* Allocations that fail on purpose, for the process that asks for it by fail_from(). */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static atomic_long begin, end, number;
static atomic_int armed;

/* Lets `count` allocations of all threads fail, from the `first` on; the first is number 1. */
void fail_from(long first, long count) {
    begin = first;
    end = first + count;
    number = 0;
    armed = 1;
}

/* Ends the failures; returns whether there was one. */
int fail_no_more(void) {
    armed = 0;
    return number >= begin;
}

static int fails(void) {
    if (!armed)
        return 0;
    long mine = ++number;
    if (mine < begin || mine >= end)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *memory, size_t size) { return fails() ? NULL : __libc_realloc(memory, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void *memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = fails() ? NULL : __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
