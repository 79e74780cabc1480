// Preloaded into a server: its wall clock is off by as many seconds as the file in MOVED_CLOCK says.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = syscall(SYS_clock_gettime, clock, time);
    const char *path = getenv("MOVED_CLOCK");
    if (result || clock != CLOCK_REALTIME || !path) return result;
    char text[32] = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return result;
    if (read(file, text, sizeof text - 1) > 0) time->tv_sec += atol(text);
    close(file);
    return result;
}
