/* Every process has the same id, as the first processes of several PID namespaces do. */
#include <unistd.h>

pid_t getpid(void) { return 1; }
