/* The least that telling one of many can cost: reads a message from a publisher, and writes a WebSocket frame to the
 * one connection that it is for. Nothing is kept, nothing is answered.
 *
 * Clients upgrade on the port, and say with their token who they are: `Authorization: Bearer user-N`. Publishers
 * connect to the Unix socket SOCKET; a message of theirs is N and its length, 32 bits each, and so many bytes, of which
 * nothing is used. The frame has FRAME_BYTES in all. What clients send, such as acknowledgements, is read and unmasked.
 * Standard output says {"port":P} once it listens; the end of the input ends the program.
 */
#define _GNU_SOURCE
#include "websocket.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BUFFER_BYTES = 64 << 10, LARGEST_FRAME = 64 << 10, HEADER_BYTES = 8 };

enum kind { CLOSED, UPGRADING, OPEN, PUBLISHER };

static enum kind kinds[MOST_DESCRIPTORS];
static int descriptors[MOST_DESCRIPTORS];
static uint8_t buffer[BUFFER_BYTES], frame[LARGEST_FRAME];
static size_t frame_bytes;
/* What has come of a publisher's message that is not whole yet. */
static struct { size_t bytes; uint8_t data[BUFFER_BYTES]; } *rests[MOST_DESCRIPTORS];

static void make_frame(size_t bytes) {
    size_t head = bytes - 2 > 125 ? 4 : 2, payload = bytes - head;
    frame_bytes = bytes;
    frame[0] = 0x81;
    frame[1] = head == 4 ? 126 : (uint8_t)payload;
    if (head == 4) {
        frame[2] = (uint8_t)(payload >> 8);
        frame[3] = (uint8_t)payload;
    }
    memset(frame + head, 'x', payload);
    static const char start[] = "{\"type\":\"new\",\"seq\":1,\"text\":\"";
    if (payload < sizeof start + 2) fail("the frame is too short");
    memcpy(frame + head, start, sizeof start - 1);
    memcpy(frame + bytes - 2, "\"}", 2);
}

static bool upgrade(int descriptor, size_t size) {
    static const char name[] = "Authorization: Bearer user-";
    const char *user = memmem(buffer, size, name, sizeof name - 1);
    size_t number = user ? strtoul(user + sizeof name - 1, NULL, 10) : MOST_DESCRIPTORS;
    if (number >= MOST_DESCRIPTORS || answer_upgrade(descriptor, (char *)buffer, size) != (ssize_t)size) return false;
    descriptors[number] = descriptor;
    kinds[descriptor] = OPEN;
    return true;
}

static bool read_frames(size_t size) {
    uint8_t *payload;
    for (size_t used = 0; used < size;) {
        ssize_t length = measure_frame(buffer + used, size - used, &payload);
        /* A client's few bytes come whole. */
        if (length <= 0 || (buffer[used] & 0x0F) == 8) return false;
        used += (size_t)length;
        unmask(payload, (size_t)(buffer + used - payload), payload - 4);
    }
    return true;
}

static bool tell(int publisher, size_t size) {
    size_t used = 0;
    while (size - used >= HEADER_BYTES) {
        uint32_t header[2];
        memcpy(header, buffer + used, sizeof header);
        if (header[0] >= MOST_DESCRIPTORS || header[1] > BUFFER_BYTES - HEADER_BYTES) return false;
        if (size - used < HEADER_BYTES + header[1]) break;
        used += HEADER_BYTES + header[1];
        if (!send_all(descriptors[header[0]], frame, frame_bytes)) fail("send");
    }
    rests[publisher]->bytes = size - used;
    memcpy(rests[publisher]->data, buffer + used, size - used);
    return true;
}

/* Where they connect. */
static int publishers;

static void accept_publisher(void) {
    int descriptor = accept4(publishers, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) fail("accept4");
    if (!rests[descriptor] && !(rests[descriptor] = malloc(sizeof *rests[descriptor]))) fail("malloc");
    rests[descriptor]->bytes = 0;
    kinds[descriptor] = PUBLISHER;
    watch(descriptor);
}

/* False if the connection is over. */
static bool receive(int descriptor) {
    if (descriptor == publishers) {
        accept_publisher();
        return true;
    }
    size_t before = kinds[descriptor] == PUBLISHER ? rests[descriptor]->bytes : 0;
    if (before) memcpy(buffer, rests[descriptor]->data, before);
    ssize_t count = recv(descriptor, buffer + before, BUFFER_BYTES - before, 0);
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) return false;
    switch (kinds[descriptor]) {
    case OPEN: return read_frames((size_t)count);
    case PUBLISHER: return tell(descriptor, before + (size_t)count);
    default: return upgrade(descriptor, (size_t)count);
    }
}

static int listen_for_publishers(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
    if (listen(listener, 128) != 0) fail("listen");
    return listener;
}

static void drop(int descriptor) {
    kinds[descriptor] = CLOSED;
    close(descriptor);
}

int main(int argument_count, char **arguments) {
    size_t bytes = argument_count == 3 ? strtoul(arguments[2], NULL, 10) : 0;
    if (bytes == 0 || bytes > LARGEST_FRAME) {
        fprintf(stderr, "usage: %s SOCKET FRAME_BYTES\n", arguments[0]);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    make_frame(bytes);
    int listener = listen_on_loopback();
    publishers = listen_for_publishers(arguments[1]);
    watch(publishers);
    serve(listener, receive, drop);
}
