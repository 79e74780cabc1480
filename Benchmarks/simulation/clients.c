#include "clients.h"

#include "../lib/frames.h"

#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum stage { CONNECTED, AWAITS_UPGRADE, UPGRADED, AWAITS_READY, READY, AWAITS_FEED, GREETED, ENDED };

static struct counts *counts;
static const char *secret_file, *feed;

void clients_begin(struct counts *shared, const char *file, const char *name) {
    counts = shared;
    secret_file = file;
    feed = name;
}

/* ---- Speaking ---- */

static size_t base64url(char *out, const void *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const uint8_t *in = bytes;
    size_t length = 0;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)in[i] << 16;
        if (i + 1 < size) bits |= (uint32_t)in[i + 1] << 8;
        if (i + 2 < size) bits |= in[i + 2];
        size_t count = size - i < 3 ? size - i + 1 : 4;
        for (size_t digit = 0; digit < count; digit++) out[length++] = digits[bits >> (18 - 6 * digit) & 63];
    }
    return length;
}

static const char *secret(void) {
    static char text[256];
    if (!text[0]) {
        FILE *file = fopen(secret_file, "r");
        if (!file || !fgets(text, sizeof text, file)) abort();
        fclose(file);
        text[strcspn(text, "\n")] = 0;
    }
    return text;
}

/* A user of its own for each client, and a token that outlives every measurement. */
static size_t token(char *out, uint64_t index) {
    char claims[96];
    int size = snprintf(claims, sizeof claims, "{\"sub\":\"user-%llu\",\"exp\":4102444800}", (unsigned long long)index);
    static const char header[] = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
    size_t length = base64url(out, header, sizeof header - 1);
    out[length++] = '.';
    length += base64url(out + length, claims, (size_t)size);
    uint8_t signature[32];
    HMAC(EVP_sha256(), secret(), (int)strlen(secret()), (const uint8_t *)out, length, signature, NULL);
    out[length++] = '.';
    return length + base64url(out + length, signature, sizeof signature);
}

bool client_speaks(const struct client *client) {
    return client->owes_pong || client->stage == CONNECTED || client->stage == UPGRADED
        || (client->stage == READY && feed);
}

size_t client_says(struct client *client, uint64_t index, uint8_t *out, size_t size) {
    char text[400], bearer[256];
    if (client->owes_pong) {
        client->owes_pong = false;
        return frame_write(out, OPCODE_PONG, NULL, 0);
    }
    switch (client->stage) {
    case CONNECTED:
        client->stage = AWAITS_UPGRADE;
        return (size_t)snprintf((char *)out, size,
            "GET /v1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Protocol: belfry.v1\r\n\r\n");
    case UPGRADED: {
        client->stage = AWAITS_READY;
        size_t length = token(bearer, index);
        int json = snprintf(text, sizeof text, "{\"type\":\"hello\",\"active\":true,\"token\":\"%.*s\"}",
                            (int)length, bearer);
        return frame_write(out, OPCODE_TEXT, text, (size_t)json);
    }
    case READY: {
        client->stage = AWAITS_FEED;
        int json = snprintf(text, sizeof text, "{\"type\":\"subscribe\",\"feed\":\"%s\"}", feed);
        return frame_write(out, OPCODE_TEXT, text, (size_t)json);
    }
    default: return 0;
    }
}

/* ---- Hearing ---- */

static void add(_Atomic uint64_t *count, uint64_t more) {
    atomic_fetch_add_explicit(count, more, memory_order_relaxed);
}

static void hear_text(struct client *client, const struct frame_reader *frame) {
    if (frame_has_type(frame, "item")) return add(&counts->items, 1);
    if (frame_has_type(frame, "new")) return add(&counts->news, 1);
    if (frame_has_type(frame, "ready") && client->stage == AWAITS_READY) {
        client->stage = feed ? READY : GREETED;
        if (!feed) add(&counts->greeted, 1);
    } else if (frame_has_type(frame, "feed") && client->stage == AWAITS_FEED) {
        client->stage = GREETED;
        add(&counts->greeted, 1);
    } else if (frame_has_type(frame, "error") || frame_has_type(frame, "gap")) {
        add(&counts->unexpected, 1);
    }
}

void client_hears(struct client *client, const uint8_t *bytes, size_t size) {
    add(&counts->bytes, size);
    if (client->stage == AWAITS_UPGRADE) {
        if (size < 12 || memcmp(bytes, "HTTP/1.1 101", 12) != 0) add(&counts->unexpected, 1);
        client->stage = UPGRADED;
        return;
    }
    const uint8_t *next = bytes, *end = bytes + size;
    struct frame_reader frame = {0};
    while (frame_read(&frame, &next, end) == FRAME_COMPLETE) {
        switch (frame_opcode(&frame)) {
        case OPCODE_TEXT: hear_text(client, &frame); break;
        case OPCODE_PING:
            client->owes_pong = true;
            add(&counts->beats, 1);
            break;
        default: add(&counts->unexpected, 1);
        }
        memset(&frame, 0, sizeof frame);
    }
}
