#define _GNU_SOURCE
#include "frames.h"

#include <stdio.h>
#include <string.h>

static uint8_t header_length(const struct frame_reader *reader) {
    if (reader->header_bytes < 2) return 2;
    switch (reader->header[1] & 0x7F) {
    case 126: return 4;
    case 127: return 10;
    default: return 2;
    }
}

static uint64_t announced_payload(const struct frame_reader *reader) {
    uint8_t length = header_length(reader);
    if (length == 2) return reader->header[1] & 0x7F;
    uint64_t bytes = 0;
    for (uint8_t place = 2; place < length; place++) bytes = bytes << 8 | reader->header[place];
    return bytes;
}

/* Whole, uncompressed, unmasked: the gateway sends nothing else to a client that offered no extension. */
static bool is_expected(const struct frame_reader *reader) {
    bool is_whole = (reader->header[0] & 0xF0) == 0x80;
    bool is_masked = reader->header[1] & 0x80;
    bool is_control = frame_opcode(reader) >= OPCODE_CLOSE;
    return is_whole && !is_masked && !(is_control && announced_payload(reader) > CONTROL_BYTES);
}

enum frame_result frame_read(struct frame_reader *reader, const uint8_t **bytes, const uint8_t *end) {
    bool is_after_complete = reader->header_bytes >= header_length(reader) && reader->payload_left == 0;
    if (is_after_complete) reader->header_bytes = 0;
    if (reader->header_bytes < header_length(reader)) {
        while (reader->header_bytes < header_length(reader)) {
            if (*bytes == end) return FRAME_INCOMPLETE;
            reader->header[reader->header_bytes++] = *(*bytes)++;
        }
        if (!is_expected(reader)) return FRAME_VIOLATION;
        reader->payload_bytes = announced_payload(reader);
        reader->payload_left = reader->payload_bytes;
        reader->kept_bytes = 0;
    }
    size_t available = (size_t)(end - *bytes);
    size_t taken = available < reader->payload_left ? available : (size_t)reader->payload_left;
    size_t room = KEPT_BYTES - reader->kept_bytes;
    size_t kept = taken < room ? taken : room;
    memcpy(reader->kept + reader->kept_bytes, *bytes, kept);
    reader->kept_bytes += (uint8_t)kept;
    reader->payload_left -= taken;
    *bytes += taken;
    return reader->payload_left == 0 ? FRAME_COMPLETE : FRAME_INCOMPLETE;
}

uint8_t frame_opcode(const struct frame_reader *reader) { return reader->header[0] & 0x0F; }

uint64_t frame_wire_bytes(const struct frame_reader *reader) {
    return header_length(reader) + reader->payload_bytes;
}

bool frame_has_type(const struct frame_reader *reader, const char *type) {
    static const char start[] = "{\"type\":\"";
    size_t start_bytes = sizeof start - 1, type_bytes = strlen(type);
    return reader->kept_bytes > start_bytes + type_bytes && memcmp(reader->kept, start, start_bytes) == 0
        && memcmp(reader->kept + start_bytes, type, type_bytes) == 0 && reader->kept[start_bytes + type_bytes] == '"';
}

/* What follows `"name":`, or NULL. */
static const char *member(const struct frame_reader *reader, const char *name, const char **end) {
    char key[40];
    int key_bytes = snprintf(key, sizeof key, "\"%s\":", name);
    const char *kept = (const char *)reader->kept;
    *end = kept + reader->kept_bytes;
    const char *found = memmem(kept, reader->kept_bytes, key, (size_t)key_bytes);
    return found ? found + key_bytes : NULL;
}

int64_t frame_number(const struct frame_reader *reader, const char *name) {
    const char *end, *digit = member(reader, name, &end);
    if (!digit || digit == end || *digit < '0' || *digit > '9') return -1;
    int64_t number = 0;
    for (; digit < end && *digit >= '0' && *digit <= '9'; digit++) number = number * 10 + (*digit - '0');
    /* Digits that go on behind the kept bytes would make another number. */
    return digit == end ? -1 : number;
}

bool frame_text(const struct frame_reader *reader, const char *name, char *text, size_t size) {
    const char *end, *start = member(reader, name, &end);
    if (!start || start == end || *start != '"') return false;
    start++;
    const char *quote = memchr(start, '"', (size_t)(end - start));
    if (!quote) return false;
    snprintf(text, size, "%.*s", (int)(quote - start), start);
    return true;
}

bool frame_is_true(const struct frame_reader *reader, const char *name) {
    const char *end, *value = member(reader, name, &end);
    return value && end - value >= 4 && memcmp(value, "true", 4) == 0;
}

int frame_close_code(const struct frame_reader *reader) {
    return reader->kept_bytes < 2 ? 1005 : reader->kept[0] << 8 | reader->kept[1];
}

size_t frame_write(uint8_t *out, enum opcode opcode, const void *payload, size_t payload_bytes) {
    /* RFC 6455 §5.3 wants it unpredictable, for the sake of proxies; between this client and the gateway is none. */
    static const uint8_t mask[4] = {0x37, 0xFA, 0x21, 0x3D};
    size_t length = 0;
    out[length++] = 0x80 | (uint8_t)opcode;
    if (payload_bytes < 126) {
        out[length++] = 0x80 | (uint8_t)payload_bytes;
    } else {
        out[length++] = 0x80 | 126;
        out[length++] = (uint8_t)(payload_bytes >> 8);
        out[length++] = (uint8_t)payload_bytes;
    }
    memcpy(out + length, mask, sizeof mask);
    length += sizeof mask;
    for (size_t i = 0; i < payload_bytes; i++) out[length++] = ((const uint8_t *)payload)[i] ^ mask[i % 4];
    return length;
}
