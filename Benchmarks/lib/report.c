#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

_Noreturn void fail(const char *format, ...) {
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    /* What a server sent may be in it, and must not break the line's JSON. */
    for (char *c = reason; *c; c++) if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') *c = '\'';
    printf("{\"error\":\"%s\"}\n", reason);
    exit(1);
}

uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void read_commands(void (*perform)(const char *line)) {
    static char line[512];
    static size_t length;
    ssize_t count = read(STDIN_FILENO, line + length, sizeof line - 1 - length);
    if (count <= 0) exit(0);
    length += (size_t)count;
    line[length] = 0;
    char *end;
    while ((end = memchr(line, '\n', length))) {
        *end = 0;
        if (strcmp(line, "quit") == 0) exit(0);
        perform(line);
        length -= (size_t)(end + 1 - line);
        memmove(line, end + 1, length + 1);
    }
    if (length == sizeof line - 1) fail("a command is too long");
}
