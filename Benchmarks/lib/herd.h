#ifndef HERD_H
#define HERD_H

#include <stdbool.h>
#include <stddef.h>

/* The sessions of a program, opened a bounded number at once. */

/* `connect` begins with the session of this index; `most` is how many there can be. */
void herd_begin(size_t most, void (*connect)(size_t index));

/* Opens further ones until there are `wanted` in all, then says {"ready":N}; on the way {"open":N} every thousand. */
void herd_open(size_t wanted);

/* One of those on their way has opened; returns whether it was the last of those wanted. */
bool herd_opened(void);

/* How many have opened. */
size_t herd_size(void);
bool herd_is_complete(void);

/* The lines of a file, which has at least one. */
char **read_lines(const char *path, size_t *count);

#endif
