#ifndef SESSION_H
#define SESSION_H

#include "frames.h"
#include "stream.h"

#include <stdint.h>

/* One client of a WebSocket server, from its connect to its end. Pings are answered here; what the frames mean is the
 * program's business. All zero, or after `ended`, it is closed and can connect. */
enum session_state { SESSION_CLOSED, SESSION_CONNECTING, SESSION_SECURING, SESSION_UPGRADING, SESSION_OPEN };

enum session_end {
    END_REFUSED,    /* nobody listens */
    END_TIMEOUT,    /* the system gave up connecting */
    END_CUT,        /* reset, or ended before the upgrade was answered */
    END_REJECTED,   /* the upgrade was answered with another status than 101 */
    END_FINISHED,   /* the server ended an open session */
    END_VIOLATION,  /* the server sent what it may not send */
};
enum { END_COUNT = END_VIOLATION + 1 };
extern const char *const session_end_names[END_COUNT];

struct response;

struct session {
    struct stream stream;
    enum session_state state;
    /* Only while upgrading. */
    struct response *response;
    struct frame_reader reader;
};

/* What happens to sessions; each gets the session it happens to. Those left out are not called. */
struct session_events {
    /* Connected, and then, where that is asked for, encrypted; each returns false to go no further by itself. */
    bool (*connected)(struct session *session);
    bool (*secured)(struct session *session);
    /* The upgrade was accepted. */
    void (*opened)(struct session *session);
    /* A whole frame is in its reader. */
    void (*received)(struct session *session);
    /* Without a path: bytes came. */
    void (*received_bytes)(struct session *session, size_t size);
    /* It is closed. To connect again from here is not allowed: this turn may hold an event of the old connection. */
    void (*ended)(struct session *session, enum session_end end, const char *why);
};

/* Where all sessions go and what happens to them. */
struct session_settings {
    const char *host;
    int port;
    /* The target of the upgrade, or NULL for plain connections without any protocol. */
    const char *path;
    /* Offered in the upgrade, if any. */
    const char *subprotocol;
    struct session_events events;
};

void sessions_begin(const struct session_settings *settings);

/* Begins to connect; a failure is told by `ended` at once.
 *
 * `index` chooses the source address, `is_slow` small buffers (stream.h). The `token`, if there is one, goes into the
 * request's head; it is not copied. */
void session_connect(struct session *session, size_t index, const char *token, bool is_slow);

/* Writes the request for the upgrade and returns its length. */
size_t session_request(char *out, size_t size, const char *token);

/* False, after the session has ended, if the system did not take all of it. */
bool session_send(struct session *session, enum opcode opcode, const void *payload, size_t size);
bool session_send_text(struct session *session, const char *json);

/* Closes without another word; `ended` is not called. */
void session_drop(struct session *session);

/* Stops looking at it, until `session_resume`. The kernel's buffers fill up meanwhile. */
void session_pause(struct session *session);
void session_resume(struct session *session);

/* Handles what has happened, waiting `milliseconds` at most, -1 for any time; returns how many events there were.
 *
 * Lines on standard input go to `perform`. */
int sessions_poll(int milliseconds, void (*perform)(const char *line));

/* As many events as one call handles. */
enum { EVENTS_AT_ONCE = 256 };

#endif
