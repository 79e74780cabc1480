#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

/* Says {"error":"…"} on standard output and ends the program with status 1. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Nanoseconds of the monotonic clock, which all processes of the machine share. */
uint64_t now(void);

/* Performs each whole line that has come on standard input; the input's end ends the program. */
void read_commands(void (*perform)(const char *line));

#endif
