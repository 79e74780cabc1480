/* Valgrind up to 3.19 writes into the mask that sigsuspend is given, and libdispatch's is in read-only memory. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KERNEL_MASK_BYTES = 8 };

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, KERNEL_MASK_BYTES);
}
