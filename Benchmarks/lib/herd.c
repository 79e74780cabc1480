#include "herd.h"

#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough to keep a server busy, too few to overflow its accept queue. */
enum { OPENING_AT_ONCE = 128, LINE_BYTES = 2048 };

static void (*connect_one)(size_t index);
static size_t most, wanted, begun, open;

void herd_begin(size_t capacity, void (*connect)(size_t index)) {
    most = capacity;
    connect_one = connect;
}

static void connect_more(void) {
    while (begun < wanted && begun - open < OPENING_AT_ONCE) connect_one(begun++);
}

void herd_open(size_t count) {
    if (count < begun || count > most) fail("open: from %zu to %zu", begun, most);
    bool is_already = count == wanted;
    wanted = count;
    if (is_already) printf("{\"ready\":%zu}\n", open);
    connect_more();
}

bool herd_opened(void) {
    open++;
    if (open == wanted) printf("{\"ready\":%zu}\n", open);
    else if (open % 1000 == 0) printf("{\"open\":%zu}\n", open);
    connect_more();
    return open == wanted;
}

size_t herd_size(void) { return open; }

bool herd_is_complete(void) { return open > 0 && open == wanted; }

char **read_lines(const char *path, size_t *count) {
    FILE *file = fopen(path, "r");
    if (!file) fail("%s: %s", path, strerror(errno));
    char **lines = NULL;
    *count = 0;
    for (char line[LINE_BYTES]; fgets(line, sizeof line, file);) {
        line[strcspn(line, "\r\n")] = 0;
        if (!*line) continue;
        lines = realloc(lines, (*count + 1) * sizeof *lines);
        char *copy = strdup(line);
        if (!lines || !copy) fail("out of memory");
        lines[(*count)++] = copy;
    }
    fclose(file);
    if (*count == 0) fail("%s holds nothing", path);
    return lines;
}
