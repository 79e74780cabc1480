#ifndef CLIENTS_H
#define CLIENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Clients that have no sockets: each says what comes next when it is read, and moves on by what it is told. All are of one
 * server, in whose process they live; they are called by one thread, its only shard's. */

/* Shared with the measuring process, which sets `wanted`. */
struct counts {
    _Atomic uint64_t wanted;    /* how many clients are to come in all */
    _Atomic uint64_t come;
    _Atomic uint64_t greeted;   /* have their `ready`, and with a feed their subscription */
    _Atomic uint64_t items;     /* feed items that came */
    _Atomic uint64_t news;      /* notifications that came */
    _Atomic uint64_t beats;     /* pings that were answered */
    _Atomic uint64_t bytes;     /* that the server has sent */
    _Atomic uint64_t unexpected; /* closes and errors */
};

struct client {
    uint64_t watch_key;
    uint8_t stage;
    bool is_open;
    bool is_watched;
    bool is_ready;
    bool owes_pong;
};

/* - secret_file: that of the tokens (HS256); read when the first client says hello.
 * - feed: to which all subscribe; NULL for none. */
void clients_begin(struct counts *counts, const char *secret_file, const char *feed);

/* Whether the client has something to say now. */
bool client_speaks(const struct client *client);

/* What it says next: at most `size` bytes, at least 512 of room. */
size_t client_says(struct client *client, uint64_t index, uint8_t *out, size_t size);

/* What the server has sent in one call: whole frames, or an HTTP answer. */
void client_hears(struct client *client, const uint8_t *bytes, size_t size);

#endif
