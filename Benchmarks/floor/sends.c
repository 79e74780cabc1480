/* The least that a fan-out can cost: accepts CONNECTIONS, then sends so many bytes to each of them for every line.
 *
 * A line on standard input is a number of bytes. No protocol, no timers, no poller, one buffer; the end of the input
 * ends the program. Standard output says {"port":P} once it listens and {"accepted":N} once all connections are there.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { LARGEST_SEND = 64 << 10 };

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

int main(int argument_count, char **arguments) {
    size_t count = argument_count == 2 ? strtoul(arguments[1], NULL, 10) : 0;
    if (count == 0) {
        fprintf(stderr, "usage: %s CONNECTIONS\n", arguments[0]);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    int *sockets = calloc(count, sizeof *sockets);
    if (!sockets) fail("calloc");
    accept_all(listen_on_loopback(), sockets, count);

    static char buffer[LARGEST_SEND];
    memset(buffer, 'x', sizeof buffer);
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        size_t bytes = strtoul(line, NULL, 10);
        if (bytes == 0 || bytes > sizeof buffer) {
            fprintf(stderr, "sends: expected 1 to %zu bytes, got %s", sizeof buffer, line);
            return 1;
        }
        for (size_t i = 0; i < count; i++) {
            /* A blocking socket takes all or fails. */
            if (send(sockets[i], buffer, bytes, MSG_NOSIGNAL) != (ssize_t)bytes) fail("send");
        }
    }
    return 0;
}
