#include "delays.h"

#include "report.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t *delays;
static size_t count, capacity;

void delays_begin(size_t most) {
    delays = realloc(delays, most * sizeof *delays);
    if (!delays) fail("out of memory");
    capacity = most;
    count = 0;
}

void delays_note(uint64_t began) {
    if (count == capacity) fail("more than %zu came", capacity);
    delays[count++] = (uint32_t)((now() - began) / 1000);
}

static int by_size(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

void delays_print(void) {
    qsort(delays, count, sizeof *delays, by_size);
    printf("\"p50\":%u,\"p99\":%u,\"max\":%u", delays[count / 2], delays[count * 99 / 100], delays[count - 1]);
}
