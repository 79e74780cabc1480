/* A plain WebSocket echo server, the least that an echo can cost: one thread, a level-triggered epoll, a `recv` and a
 * `send` for each message, frames unmasked and answered in the receive buffer itself.
 *
 * It does what RFC 6455 asks for messages in one frame of up to 64 KiB, with their text checked; it has no
 * fragments, timers, limits or compression. Standard output says {"port":P} once it listens; the end of the
 * input ends the program.
 */
#define _GNU_SOURCE
#include "text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define KEY_SUFFIX "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

enum { BUFFER_BYTES = 128 << 10, MOST_DESCRIPTORS = 20000, EVENTS_AT_ONCE = 256, OPCODE_CLOSE = 8, OPCODE_PING = 9 };

struct connection {
    /* What has come of a request's head or a frame that is not whole yet. */
    uint8_t *rest;
    uint32_t rest_bytes;
    bool is_open;
};

static struct connection connections[MOST_DESCRIPTORS];
static uint8_t buffer[BUFFER_BYTES];
static int poller, listener;

static _Noreturn void fail(const char *call) {
    fprintf(stderr, "echo: %s: %s\n", call, strerror(errno));
    exit(1);
}

static void watch(int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) != 0) fail("epoll_ctl");
}

/* What a step made of the bytes it got, if it is not how many it used. */
enum { INCOMPLETE = 0, OVER = -1 };

static bool send_all(int descriptor, const void *data, size_t size) {
    /* A client of this measurement reads what it gets: output that is not taken ends it. */
    return send(descriptor, data, size, MSG_NOSIGNAL) == (ssize_t)size;
}

static void accept_all(void) {
    for (;;) {
        int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
        if (descriptor < 0 && errno == EAGAIN) return;
        if (descriptor < 0) fail("accept4");
        if (descriptor >= MOST_DESCRIPTORS) fail("too many connections");
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(descriptor);
    }
}

/* Answers the upgrade; how many bytes the request had. */
static ssize_t upgrade(int descriptor, const char *request, size_t size) {
    static const char name[] = "Sec-WebSocket-Key:";
    const char *end = memmem(request, size, "\r\n\r\n", 4);
    if (!end) return INCOMPLETE;
    const char *key = memmem(request, (size_t)(end - request), name, sizeof name - 1);
    if (!key) return OVER;
    for (key += sizeof name - 1; *key == ' ';) key++;
    char text[128], accepted[64], response[256];
    uint8_t digest[SHA_DIGEST_LENGTH];
    int length = snprintf(text, sizeof text, "%.*s" KEY_SUFFIX, (int)strcspn(key, " \r"), key);
    if (length >= (int)sizeof text) return OVER;
    SHA1((uint8_t *)text, (size_t)length, digest);
    EVP_EncodeBlock((uint8_t *)accepted, digest, sizeof digest);
    length = snprintf(response, sizeof response,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n\r\n", accepted);
    if (!send_all(descriptor, response, (size_t)length)) return OVER;
    connections[descriptor].is_open = true;
    return end + 4 - request;
}

static void unmask(uint8_t *payload, size_t size, const uint8_t *mask) {
    uint32_t half;
    memcpy(&half, mask, sizeof half);
    uint64_t whole = (uint64_t)half << 32 | half, word;
    size_t i = 0;
    for (; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, payload + i, sizeof word);
        word ^= whole;
        memcpy(payload + i, &word, sizeof word);
    }
    for (; i < size; i++) payload[i] ^= mask[i % 4];
}

/* Echoes the frame that begins here; how many bytes it had. */
static ssize_t echo(int descriptor, uint8_t *frame, size_t size) {
    if (size < 2) return INCOMPLETE;
    uint8_t opcode = frame[0] & 0x0F;
    size_t length = frame[1] & 0x7F, head = length == 126 ? 8 : 6;
    bool is_message = (frame[0] & 0xF0) == 0x80 && (opcode == 1 || opcode == 2 || opcode >= OPCODE_CLOSE);
    if (!is_message || !(frame[1] & 0x80) || length == 127) return OVER;
    if (size < head) return INCOMPLETE;
    if (head == 8) length = (size_t)frame[2] << 8 | frame[3];
    if (size < head + length) return INCOMPLETE;
    uint8_t *payload = frame + head;
    unmask(payload, length, frame + head - 4);
    if (opcode == 1 && !text_is_valid(payload, length)) return OVER;
    /* The answer's head lacks the mask's four bytes, and so finds its place right before the payload. */
    uint8_t *answer = frame + 4;
    answer[0] = opcode == OPCODE_PING ? 0x8A : frame[0];
    if (head == 8) memmove(answer + 2, frame + 2, 2);
    answer[1] = head == 8 ? 126 : (uint8_t)length;
    if (!send_all(descriptor, answer, head - 4 + length) || opcode == OPCODE_CLOSE) return OVER;
    return (ssize_t)(head + length);
}

static void keep_rest(struct connection *connection, const uint8_t *data, size_t size) {
    if (size == 0 && !connection->rest) return;
    uint8_t *rest = size ? malloc(size) : NULL;
    if (rest) memcpy(rest, data, size);
    else if (size) fail("malloc");
    free(connection->rest);
    connection->rest = rest;
    connection->rest_bytes = (uint32_t)size;
}

/* False if the connection is over. */
static bool receive(int descriptor) {
    struct connection *connection = &connections[descriptor];
    size_t size = connection->rest_bytes, used = 0;
    if (size) memcpy(buffer, connection->rest, size);
    ssize_t count = recv(descriptor, buffer + size, BUFFER_BYTES - size, 0);
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) return false;
    size += (size_t)count;
    while (used < size) {
        ssize_t step = connection->is_open ? echo(descriptor, buffer + used, size - used)
                                           : upgrade(descriptor, (char *)buffer + used, size - used);
        if (step == OVER) return false;
        if (step == INCOMPLETE) break;
        used += (size_t)step;
    }
    keep_rest(connection, buffer + used, size - used);
    return true;
}

static void drop(int descriptor) {
    free(connections[descriptor].rest);
    connections[descriptor] = (struct connection){0};
    close(descriptor);
}

static void listen_on_loopback(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0) fail("bind");
    if (listen(listener, 4096) != 0) fail("listen");
    if (getsockname(listener, (struct sockaddr *)&address, &size) != 0) fail("getsockname");
    printf("{\"port\":%d}\n", ntohs(address.sin_port));
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (poller < 0) fail("epoll_create1");
    listen_on_loopback();
    watch(listener);
    watch(STDIN_FILENO);
    for (;;) {
        struct epoll_event events[EVENTS_AT_ONCE];
        int count = epoll_wait(poller, events, EVENTS_AT_ONCE, -1);
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < count; i++) {
            int descriptor = events[i].data.fd;
            if (descriptor == listener) accept_all();
            else if (descriptor == STDIN_FILENO) return 0;
            else if (!receive(descriptor)) drop(descriptor);
        }
    }
}
