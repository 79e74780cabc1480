#define _GNU_SOURCE
#include "websocket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define KEY_SUFFIX "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

enum { EVENTS_AT_ONCE = 256 };

int poller = -1;

void fail(const char *call) {
    fprintf(stderr, "floor: %s: %s\n", call, strerror(errno));
    exit(1);
}

void watch(int descriptor) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) != 0) fail("epoll_ctl");
}

int listen_on_loopback(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (poller < 0) fail("epoll_create1");
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0) fail("bind");
    if (listen(listener, 4096) != 0) fail("listen");
    if (getsockname(listener, (struct sockaddr *)&address, &size) != 0) fail("getsockname");
    watch(listener);
    watch(STDIN_FILENO);
    printf("{\"port\":%d}\n", ntohs(address.sin_port));
    return listener;
}

void accept_all(int listener) {
    for (;;) {
        int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
        if (descriptor < 0 && errno == EAGAIN) return;
        if (descriptor < 0) fail("accept4");
        if (descriptor >= MOST_DESCRIPTORS) fail("too many connections");
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(descriptor);
    }
}

void serve(int listener, bool (*receive)(int descriptor), void (*drop)(int descriptor)) {
    for (;;) {
        struct epoll_event events[EVENTS_AT_ONCE];
        int count = epoll_wait(poller, events, EVENTS_AT_ONCE, -1);
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < count; i++) {
            int descriptor = events[i].data.fd;
            if (descriptor == listener) accept_all(listener);
            else if (descriptor == STDIN_FILENO) return;
            else if (!receive(descriptor)) drop(descriptor);
        }
    }
}

bool send_all(int descriptor, const void *data, size_t size) {
    return send(descriptor, data, size, MSG_NOSIGNAL) == (ssize_t)size;
}

ssize_t answer_upgrade(int descriptor, const char *request, size_t size) {
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
    return send_all(descriptor, response, (size_t)length) ? end + 4 - request : OVER;
}

ssize_t measure_frame(uint8_t *frame, size_t size, uint8_t **payload) {
    if (size < 2) return INCOMPLETE;
    size_t length = frame[1] & 0x7F, head = length == 126 ? 8 : 6;
    if (!(frame[1] & 0x80) || length == 127) return OVER;
    if (size < head) return INCOMPLETE;
    if (head == 8) length = (size_t)frame[2] << 8 | frame[3];
    if (size < head + length) return INCOMPLETE;
    *payload = frame + head;
    return (ssize_t)(head + length);
}

void unmask(uint8_t *payload, size_t size, const uint8_t *mask) {
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
