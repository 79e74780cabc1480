#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum opcode { OPCODE_TEXT = 1, OPCODE_CLOSE = 8, OPCODE_PING = 9, OPCODE_PONG = 10 };

/* The longest payload of a control frame (RFC 6455 §5.5), and enough of a text frame to tell its type. */
enum { KEPT_BYTES = 125 };

/* Reads a server's frames, however the network cuts them. All zero is its beginning. */
struct frame_reader {
    uint8_t header[10];
    uint8_t header_bytes;
    /* The first bytes of the payload; the rest is only counted. */
    uint8_t kept[KEPT_BYTES];
    uint8_t kept_bytes;
    uint64_t payload_bytes;
    uint64_t payload_left;
};

enum frame_result { FRAME_INCOMPLETE, FRAME_COMPLETE, FRAME_VIOLATION };

/* Takes bytes from `*bytes` on until a frame is complete or none are left.
 *
 * A complete frame's opcode, kept payload and sizes are valid until the next call. */
enum frame_result frame_read(struct frame_reader *reader, const uint8_t **bytes, const uint8_t *end);

uint8_t frame_opcode(const struct frame_reader *reader);

/* Header and payload together. */
uint64_t frame_wire_bytes(const struct frame_reader *reader);

/* Whether the payload is JSON whose first member is this `type`: the gateway writes it first. */
bool frame_has_type(const struct frame_reader *reader, const char *type);

/* Writes a client's frame, masked, and returns its length.
 *
 * `out` has room for 8 bytes more than the payload, which has at most 65,535. */
size_t frame_write(uint8_t *out, enum opcode opcode, const void *payload, size_t payload_bytes);

#endif
