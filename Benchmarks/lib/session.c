#define _GNU_SOURCE
#include "session.h"

#include "report.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* The example of RFC 6455 §1.3: a fixed key has a fixed answer, which can be checked without SHA-1. */
#define HANDSHAKE_KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define HANDSHAKE_ACCEPT "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

enum { RESPONSE_BYTES = 2048, REQUEST_BYTES = 2560 };

const char *const session_end_names[END_COUNT] = {"refused", "timedOut", "cut", "rejected", "finished", "violations"};

/* The answer to the upgrade, as far as it has come. */
struct response {
    size_t bytes;
    const char *token;
    char text[RESPONSE_BYTES];
};

static struct session_settings settings;
static struct sockaddr_in server;
static int poller;
static uint8_t buffer[64 << 10];

void sessions_begin(const struct session_settings *chosen) {
    settings = *chosen;
    server.sin_family = AF_INET;
    server.sin_port = htons((uint16_t)settings.port);
    if (inet_pton(AF_INET, settings.host, &server.sin_addr) != 1) fail("%s is no IPv4 address", settings.host);
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN};
    if (poller < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &event) != 0) fail("epoll: %s", strerror(errno));
}

static void watch(struct session *session, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = session};
    if (epoll_ctl(poller, operation, session->stream.descriptor, &event) != 0) fail("epoll_ctl: %s", strerror(errno));
}

void session_pause(struct session *session) { watch(session, EPOLL_CTL_DEL, 0); }

void session_resume(struct session *session) { watch(session, EPOLL_CTL_ADD, EPOLLIN); }

void session_drop(struct session *session) {
    if (session->state == SESSION_CLOSED) return;
    stream_close(&session->stream);
    free(session->response);
    session->response = NULL;
    session->state = SESSION_CLOSED;
}

static void end(struct session *session, enum session_end reason, const char *why) {
    session_drop(session);
    if (settings.events.ended) settings.events.ended(session, reason, why);
}

/* ---- Opening ---- */

static void refuse(struct session *session, int problem) {
    enum session_end reason = problem == ECONNREFUSED ? END_REFUSED : problem == ETIMEDOUT ? END_TIMEOUT : END_CUT;
    end(session, reason, strerror(problem));
}

void session_connect(struct session *session, size_t index, const char *token, bool is_slow) {
    memset(session, 0, sizeof *session);
    int problem = stream_connect(&session->stream, &server, index, is_slow);
    session->state = SESSION_CONNECTING;
    /* What this machine refuses is a mistake of the measurement. */
    if (session->stream.descriptor < 0 || problem == EADDRNOTAVAIL) fail("connect: %s", strerror(problem));
    if (problem) return refuse(session, problem);
    if (settings.path) {
        session->response = calloc(1, sizeof *session->response);
        if (!session->response) fail("out of memory");
        session->response->token = token;
    }
    watch(session, EPOLL_CTL_ADD, EPOLLOUT);
}

size_t session_request(char *out, size_t size, const char *token) {
    int length = snprintf(out, size,
        "GET %s HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " HANDSHAKE_KEY "\r\n%s%s%s%s%s%s\r\n",
        settings.path, settings.host, settings.port,
        settings.subprotocol ? "Sec-WebSocket-Protocol: " : "", settings.subprotocol ? settings.subprotocol : "",
        settings.subprotocol ? "\r\n" : "",
        token ? "Authorization: Bearer " : "", token ? token : "", token ? "\r\n" : "");
    if (length < 0 || (size_t)length >= size) fail("the token is too long");
    return (size_t)length;
}

static void secured(struct session *session) {
    watch(session, EPOLL_CTL_MOD, EPOLLIN);
    if (!settings.path) {
        session->state = SESSION_OPEN;
        return settings.events.opened(session);
    }
    session->state = SESSION_UPGRADING;
    if (settings.events.secured && !settings.events.secured(session)) return;
    char request[REQUEST_BYTES];
    size_t length = session_request(request, sizeof request, session->response->token);
    if (!stream_send(&session->stream, request, length)) end(session, END_CUT, "the request was not taken");
}

static void secure(struct session *session) {
    switch (stream_secure(&session->stream)) {
    case 0: return secured(session);
    case STREAM_AGAIN: return watch(session, EPOLL_CTL_MOD, EPOLLIN);
    default: end(session, END_CUT, "the TLS handshake failed");
    }
}

static void connected(struct session *session) {
    int problem = stream_connected(&session->stream);
    if (problem) return refuse(session, problem);
    if (settings.events.connected && !settings.events.connected(session)) {
        session->state = SESSION_UPGRADING;
        return watch(session, EPOLL_CTL_MOD, EPOLLIN);
    }
    session->state = SESSION_SECURING;
    secure(session);
}

/* ---- Output ---- */

bool session_send(struct session *session, enum opcode opcode, const void *payload, size_t size) {
    uint8_t frame[REQUEST_BYTES];
    if (size > sizeof frame - 8) fail("a frame of %zu bytes is too long", size);
    if (stream_send(&session->stream, frame, frame_write(frame, opcode, payload, size))) return true;
    end(session, END_CUT, "a frame was not taken");
    return false;
}

bool session_send_text(struct session *session, const char *json) {
    return session_send(session, OPCODE_TEXT, json, strlen(json));
}

/* ---- Input ---- */

static void received_frames(struct session *session, const uint8_t *data, size_t size) {
    const uint8_t *limit = data + size;
    while (data < limit && session->state == SESSION_OPEN) {
        switch (frame_read(&session->reader, &data, limit)) {
        case FRAME_INCOMPLETE: return;
        case FRAME_VIOLATION: return end(session, END_VIOLATION, "a frame that a server may not send");
        case FRAME_COMPLETE:
            if (frame_opcode(&session->reader) != OPCODE_PING) settings.events.received(session);
            else session_send(session, OPCODE_PONG, session->reader.kept, session->reader.kept_bytes);
        }
    }
}

static void received_response(struct session *session, const uint8_t *data, size_t size) {
    struct response *response = session->response;
    size_t before = response->bytes, room = RESPONSE_BYTES - 1 - before;
    size_t taken = size < room ? size : room;
    memcpy(response->text + before, data, taken);
    response->bytes += taken;
    const char *head_end = strstr(response->text, "\r\n\r\n");
    if (!head_end && response->bytes < RESPONSE_BYTES - 1) return;
    if (!head_end || strncmp(response->text, "HTTP/1.1 101 ", 13) != 0 || !strstr(response->text, HANDSHAKE_ACCEPT)) {
        char why[128];
        snprintf(why, sizeof why, "%.*s", (int)strcspn(response->text, "\r\n"), response->text);
        return end(session, END_REJECTED, why);
    }
    size_t used = (size_t)(head_end + 4 - response->text) - before;
    free(response);
    session->response = NULL;
    session->state = SESSION_OPEN;
    settings.events.opened(session);
    received_frames(session, data + used, size - used);
}

static void received(struct session *session, size_t size) {
    if (!settings.path) settings.events.received_bytes(session, size);
    else if (session->state == SESSION_UPGRADING) received_response(session, buffer, size);
    else received_frames(session, buffer, size);
}

static void receive(struct session *session) {
    do {
        ssize_t count = stream_receive(&session->stream, buffer, sizeof buffer);
        if (count == STREAM_AGAIN) return;
        if (count == STREAM_LOST) return end(session, END_CUT, "the connection was reset");
        if (count == 0) {
            bool was_open = session->state == SESSION_OPEN;
            return end(session, was_open ? END_FINISHED : END_CUT, "the server ended the connection");
        }
        received(session, (size_t)count);
        /* libssl may hold more, of which the poller knows nothing. */
    } while (session->state != SESSION_CLOSED && session->stream.tls && SSL_pending(session->stream.tls) > 0);
}

int sessions_poll(int milliseconds, void (*perform)(const char *line)) {
    struct epoll_event events[EVENTS_AT_ONCE];
    int count = epoll_wait(poller, events, EVENTS_AT_ONCE, milliseconds);
    if (count < 0 && errno != EINTR) fail("epoll_wait: %s", strerror(errno));
    bool has_commands = false;
    for (int i = 0; i < count; i++) {
        struct session *session = events[i].data.ptr;
        if (!session) {
            has_commands = true;
            continue;
        }
        switch (session->state) {
        /* An event of this turn may have come before it was closed. */
        case SESSION_CLOSED: break;
        case SESSION_CONNECTING: connected(session); break;
        case SESSION_SECURING: secure(session); break;
        case SESSION_UPGRADING: case SESSION_OPEN: receive(session);
        }
    }
    /* Last, since a command may close and connect what there still was an event for. */
    if (has_commands) read_commands(perform);
    return count;
}
