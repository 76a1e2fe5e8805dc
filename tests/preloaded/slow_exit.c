/* A process that takes a moment to end after the interpreter is gone: threads that still run come back meanwhile. */
#include <unistd.h>

__attribute__((destructor)) static void linger(void) { usleep(500000); }
