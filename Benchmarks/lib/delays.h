#ifndef DELAYS_H
#define DELAYS_H

#include <stddef.h>
#include <stdint.h>

/* How long things took. */

/* Forgets what was noted, and makes room for so many. */
void delays_begin(size_t most);

/* From this time, of `now`, until this moment. */
void delays_note(uint64_t began);

/* Prints `"p50":…,"p99":…,"max":…` in microseconds, as members of an object; at least one is noted. */
void delays_print(void);

#endif
