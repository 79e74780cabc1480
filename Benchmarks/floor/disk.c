/* What a disk alone makes of a steady pace: each message's bytes are written and synced, and nothing else is done.
 *
 * FILE is made, or emptied; BYTES is what one message takes. All that are due when a sync ends go into the next one
 * together, as in a log that is shared. The file is as long from the start as it will ever be: a sync that also writes down
 * a new length takes longer.
 *
 * Commands come on standard input, a line each:
 *   run MESSAGES RATE  so many, at so many a second, evenly spaced
 * News go to standard output as a JSON object a line: {"ready":1} at the start, and
 *   {"synced":TOTAL,"syncs":…,"p50":…,"p99":…,"max":…}, TOTAL the messages over all commands, times in microseconds from
 *   when a message was due; {"error":"…"} ends the program
 */
#define _GNU_SOURCE
#include "../lib/delays.h"
#include "../lib/report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { FILE_BYTES = 64 << 20, MOST_AT_ONCE = 1 << 20 };

static int file;
static size_t message_bytes;
static char *buffer;
static off_t end;
static uint64_t total;

static void write_all(size_t bytes) {
    if (end + (off_t)bytes > FILE_BYTES) end = 0;
    if (pwrite(file, buffer, bytes, end) != (ssize_t)bytes) fail("writing: %s", strerror(errno));
    end += (off_t)bytes;
}

static void sync_all(void) {
    if (fdatasync(file) != 0) fail("fdatasync: %s", strerror(errno));
}

static void sleep_until(uint64_t moment) {
    struct timespec time = {.tv_sec = (time_t)(moment / 1000000000), .tv_nsec = (long)(moment % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

static void run(uint64_t messages, double rate) {
    const size_t most = MOST_AT_ONCE / message_bytes;
    uint64_t began = now(), done = 0, syncs = 0;
    delays_begin(messages);
    while (done < messages) {
        sleep_until(began + (uint64_t)((double)done / rate * 1e9));
        uint64_t due = (uint64_t)((double)(now() - began) / 1e9 * rate) + 1 - done;
        if (due > messages - done) due = messages - done;
        if (due > most) due = most;
        if (due == 0) due = 1;
        write_all(due * message_bytes);
        sync_all();
        syncs++;
        for (; due > 0; due--) delays_note(began + (uint64_t)((double)done++ / rate * 1e9));
    }
    total += messages;
    printf("{\"synced\":%" PRIu64 ",\"syncs\":%" PRIu64 ",", total, syncs);
    delays_print();
    printf("}\n");
}

static void command(const char *line) {
    uint64_t messages;
    double rate;
    if (sscanf(line, "run %" SCNu64 " %lf", &messages, &rate) == 2 && messages > 0 && rate > 0) run(messages, rate);
    else fail("unknown command: %s", line);
}

int main(int argument_count, char **arguments) {
    message_bytes = argument_count == 3 ? strtoul(arguments[2], NULL, 10) : 0;
    if (message_bytes == 0 || message_bytes > MOST_AT_ONCE) {
        fprintf(stderr, "usage: %s FILE BYTES\n", arguments[0]);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    /* A sleep ends when it is over, not up to 50 µs later. */
    prctl(PR_SET_TIMERSLACK, 1);
    buffer = malloc(MOST_AT_ONCE);
    if (!buffer) fail("out of memory");
    memset(buffer, 'x', MOST_AT_ONCE);
    file = open(arguments[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) fail("%s: %s", arguments[1], strerror(errno));
    for (int written = 0; written < FILE_BYTES; written += MOST_AT_ONCE) write_all(MOST_AT_ONCE);
    if (fsync(file) != 0) fail("fsync: %s", strerror(errno));
    printf("{\"ready\":1}\n");
    while (true) read_commands(command);
}
