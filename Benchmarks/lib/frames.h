#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum opcode { OPCODE_TEXT = 1, OPCODE_BINARY = 2, OPCODE_CLOSE = 8, OPCODE_PING = 9, OPCODE_PONG = 10 };

enum {
    /* The longest payload of a control frame (RFC 6455 §5.5). */
    CONTROL_BYTES = 125,
    /* Enough of a text frame for the members that come first. */
    KEPT_BYTES = 192,
};

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

/* The whole number behind the first `"name":` among the kept bytes, or -1 if there is none. */
int64_t frame_number(const struct frame_reader *reader, const char *name);

/* Copies the text behind the first `"name":` among the kept bytes, cut to `size` - 1 bytes; false if there is none. */
bool frame_text(const struct frame_reader *reader, const char *name, char *text, size_t size);

/* Whether `"name":true` is among the kept bytes. */
bool frame_is_true(const struct frame_reader *reader, const char *name);

/* The code of a close frame, or 1005 where it has none (RFC 6455 §7.1.5). */
int frame_close_code(const struct frame_reader *reader);

/* Writes a client's frame, masked, and returns its length.
 *
 * `out` has room for 8 bytes more than the payload, which has at most 65,535. */
size_t frame_write(uint8_t *out, enum opcode opcode, const void *payload, size_t payload_bytes);

#endif
