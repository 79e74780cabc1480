/* A plain WebSocket echo server, the least that an echo can cost: one thread, a level-triggered epoll, a `recv` and a
 * `send` for each message, frames unmasked and answered in the receive buffer itself.
 *
 * It does what RFC 6455 asks for messages in one frame of up to 64 KiB, with their text checked; it has no
 * fragments, timers, limits or compression. Standard output says {"port":P} once it listens; the end of the
 * input ends the program.
 */
#include "text.h"
#include "websocket.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BUFFER_BYTES = 128 << 10, OPCODE_CLOSE = 8, OPCODE_PING = 9 };

struct connection {
    /* What has come of a request's head or a frame that is not whole yet. */
    uint8_t *rest;
    uint32_t rest_bytes;
    bool is_open;
};

static struct connection connections[MOST_DESCRIPTORS];
static uint8_t buffer[BUFFER_BYTES];

static ssize_t upgrade(int descriptor, const char *request, size_t size) {
    ssize_t used = answer_upgrade(descriptor, request, size);
    connections[descriptor].is_open = used > 0;
    return used;
}

/* Echoes the frame that begins here; how many bytes it had. */
static ssize_t echo(int descriptor, uint8_t *frame, size_t size) {
    uint8_t *payload, opcode = frame[0] & 0x0F;
    bool is_message = (frame[0] & 0xF0) == 0x80 && (opcode == 1 || opcode == 2 || opcode >= OPCODE_CLOSE);
    if (!is_message) return OVER;
    ssize_t whole = measure_frame(frame, size, &payload);
    if (whole <= 0) return whole;
    size_t head = (size_t)(payload - frame), length = (size_t)whole - head;
    unmask(payload, length, payload - 4);
    if (opcode == 1 && !text_is_valid(payload, length)) return OVER;
    /* The answer's head lacks the mask's four bytes, and so finds its place right before the payload. */
    uint8_t *answer = frame + 4;
    answer[0] = opcode == OPCODE_PING ? 0x8A : frame[0];
    if (head == 8) memmove(answer + 2, frame + 2, 2);
    answer[1] = head == 8 ? 126 : (uint8_t)length;
    if (!send_all(descriptor, answer, head - 4 + length) || opcode == OPCODE_CLOSE) return OVER;
    return whole;
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

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    int listener = listen_on_loopback();
    serve(listener, receive, drop);
}
