#ifndef PUBLISHER_H
#define PUBLISHER_H

#include <stddef.h>
#include <stdint.h>

/* Backends on keep-alive connections to a Unix socket, which publish events to one person each. */

enum publisher_kind {
    PUBLISHER_POSTS,   /* a request for so many events, as an array if there are several */
    PUBLISHER_STREAM,  /* one request without end, a line an event (application/x-ndjson) */
    PUBLISHER_FLOOR,   /* the messages of floor/unicast.c, which are not answered */
};

/* `answered`: so many more of this publisher's events are committed. None is connected yet. */
void publishers_begin(
    const char *socket_path, size_t count, enum publisher_kind kind, void (*answered)(size_t publisher, size_t events));

/* Connects them; for as long as there is something to publish, as a server closes connections that are silent. */
void publishers_connect(void);

/* Once everything is answered. */
void publishers_close(void);

/* Publishes an event for each of these users, `user-N`. Any other answer than "created" ends the program. */
void publisher_send(size_t publisher, const uint32_t *users, size_t count);

/* Handles the answers that have come. */
void publishers_poll(void);

#endif
