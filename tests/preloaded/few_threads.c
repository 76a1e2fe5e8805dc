/* A system that allows only so many threads: FEW_THREADS of them, then pthread_create() fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int made;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    if (++made > atoi(getenv("FEW_THREADS")))
        return EAGAIN;
    return real(thread, attributes, body, argument);
}
