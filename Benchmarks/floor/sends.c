/* The least that a fan-out can cost: accepts CONNECTIONS, then sends so many bytes to each of them for every line.
 *
 * A line on standard input is a number of bytes. No protocol, no timers, no poller, one buffer; the end of the input
 * ends the program. Standard output says {"port":P} once it listens and {"accepted":N} once all connections are there.
 *
 * With LOG, a file to be made, each line is on the disk before anything is sent, as long as a page of SQLite's log.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LARGEST_SEND = 64 << 10, LOG_BYTES = 4 << 20, RECORD_BYTES = 24 + 4096 };

static char buffer[LARGEST_SEND];

static _Noreturn void fail(const char *call) {
    fprintf(stderr, "sends: %s: %s\n", call, strerror(errno));
    exit(1);
}

static int listen_on_loopback(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) fail("socket");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) != 0) fail("bind");
    if (listen(listener, 4096) != 0) fail("listen");
    if (getsockname(listener, (struct sockaddr *)&address, &size) != 0) fail("getsockname");
    printf("{\"port\":%d}\n", ntohs(address.sin_port));
    return listener;
}

static void accept_all(int listener, int *sockets, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int on = 1;
        sockets[i] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (sockets[i] < 0) fail("accept4");
        setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    printf("{\"accepted\":%zu}\n", count);
}

/* Bytes that are there, as in Belfry's log: a longer file would have to be known to the file system, too. */
static int open_log(const char *path) {
    int log = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (log < 0) fail("open");
    for (size_t written = 0; written < LOG_BYTES; written += sizeof buffer) {
        if (write(log, buffer, sizeof buffer) != sizeof buffer) fail("write");
    }
    if (fsync(log) != 0) fail("fsync");
    return log;
}

static void keep(int log) {
    static off_t end;
    if (end + RECORD_BYTES > LOG_BYTES) end = 0;
    if (pwrite(log, buffer, RECORD_BYTES, end) != RECORD_BYTES) fail("pwrite");
    if (fdatasync(log) != 0) fail("fdatasync");
    end += RECORD_BYTES;
}

int main(int argument_count, char **arguments) {
    size_t count = argument_count == 2 || argument_count == 3 ? strtoul(arguments[1], NULL, 10) : 0;
    if (count == 0) {
        fprintf(stderr, "usage: %s CONNECTIONS [LOG]\n", arguments[0]);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    int *sockets = calloc(count, sizeof *sockets);
    if (!sockets) fail("calloc");
    memset(buffer, 'x', sizeof buffer);
    int log = argument_count == 3 ? open_log(arguments[2]) : -1;
    accept_all(listen_on_loopback(), sockets, count);
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        size_t bytes = strtoul(line, NULL, 10);
        if (bytes == 0 || bytes > sizeof buffer) {
            fprintf(stderr, "sends: expected 1 to %zu bytes, got %s", sizeof buffer, line);
            return 1;
        }
        if (log >= 0) keep(log);
        for (size_t i = 0; i < count; i++) {
            /* A blocking socket takes all or fails. */
            if (send(sockets[i], buffer, bytes, MSG_NOSIGNAL) != (ssize_t)bytes) fail("send");
        }
    }
    return 0;
}
