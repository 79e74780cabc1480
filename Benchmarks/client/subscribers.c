/* Many clients in one process and one thread: sessions of Belfry's live protocol, which count the feed items that
 * they get; with --echo, WebSockets that have had one message echoed; with --raw, plain connections that count bytes.
 *
 * Commands come on standard input, a line each: `open N` (until N are open in all), `count`, `quit`.
 * News go to standard output as a JSON object a line:
 *   {"open":N}              on the way, every 1,000
 *   {"ready":N}             all N are open, greeted and, with --feed, subscribed
 *   {"frames":F,"bytes":B}  whenever each of the sessions could have got one more item, and as the answer to `count`
 *   {"error":"…"}           a session was lost, refused or left out an item; the program ends with status 1
 */
#include "../lib/herd.h"
#include "../lib/report.h"
#include "../lib/session.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Subscribers elsewhere cost the server no wake-ups. Here each frame would wake this process on another core, at the
 * sender's expense, the more so the slower the sender; so once all are open it looks only so often. */
enum { NAP_MICROSECONDS = 2000 };

#define ECHO_TEXT "Is anybody there?"

static const char *feed;
static bool is_echo;
static uint64_t raw_bytes;
static char **tokens;
static size_t token_count;
static struct session *sessions;
static uint64_t frames, bytes, next_report;

static size_t index_of(const struct session *session) { return (size_t)(session - sessions); }

static void connect_one(size_t index) {
    session_connect(&sessions[index], index, token_count ? tokens[index % token_count] : NULL, false);
}

static void complete(void) {
    if (herd_opened()) next_report = (frames / herd_size() + 1) * herd_size();
}

static void opened(struct session *session) {
    if (raw_bytes) complete();
    else session_send_text(session, is_echo ? ECHO_TEXT : "{\"type\":\"hello\",\"active\":true}");
}

/* ---- Input ---- */

static void report(void) { printf("{\"frames\":%" PRIu64 ",\"bytes\":%" PRIu64 "}\n", frames, bytes); }

static void report_round(void) {
    if (!herd_is_complete() || frames < next_report) return;
    next_report = (frames / herd_size() + 1) * herd_size();
    report();
}

static void greeted(struct session *session) {
    if (!feed) return complete();
    char json[512];
    snprintf(json, sizeof json, "{\"type\":\"subscribe\",\"feed\":\"%s\"}", feed);
    session_send_text(session, json);
}

static void received_echo(const struct session *session) {
    const struct frame_reader *reader = &session->reader;
    if (reader->payload_bytes != strlen(ECHO_TEXT) || memcmp(reader->kept, ECHO_TEXT, strlen(ECHO_TEXT)) != 0)
        fail("connection %zu got %.*s", index_of(session), reader->kept_bytes, (const char *)reader->kept);
    complete();
}

static void received_text(struct session *session) {
    const struct frame_reader *reader = &session->reader;
    if (is_echo) {
        received_echo(session);
    } else if (frame_has_type(reader, "item")) {
        frames++;
        bytes += frame_wire_bytes(reader);
        report_round();
    } else if (frame_has_type(reader, "ready")) {
        greeted(session);
    } else if (frame_has_type(reader, "feed")) {
        complete();
    } else if (frame_has_type(reader, "error") || frame_has_type(reader, "gap")) {
        fail("session %zu got %.*s", index_of(session), reader->kept_bytes, (const char *)reader->kept);
    }
}

static void received(struct session *session) {
    const struct frame_reader *reader = &session->reader;
    switch (frame_opcode(reader)) {
    case OPCODE_TEXT: return received_text(session);
    case OPCODE_PONG: return;
    case OPCODE_CLOSE:
        fail("session %zu was closed: %d %.*s", index_of(session), frame_close_code(reader),
            reader->kept_bytes < 2 ? 0 : reader->kept_bytes - 2, (const char *)reader->kept + 2);
    default: fail("session %zu got a frame of kind %d", index_of(session), frame_opcode(reader));
    }
}

static void received_bytes(struct session *session, size_t size) {
    (void)session;
    bytes += size;
    frames = bytes / raw_bytes;
    report_round();
}

static void ended(struct session *session, enum session_end end, const char *why) {
    fail("session %zu: %s: %s", index_of(session), session_end_names[end], why);
}

/* ---- Start ---- */

static void command(const char *line) {
    size_t count;
    if (sscanf(line, "open %zu", &count) == 1) herd_open(count);
    else if (strcmp(line, "count") == 0) report();
    else fail("unknown command: %s", line);
}

static size_t read_options(int count, char **arguments, struct session_settings *settings) {
    static const struct option known[] = {
        {"host", required_argument, NULL, 'h'}, {"port", required_argument, NULL, 'p'},
        {"connections", required_argument, NULL, 'n'}, {"tokens", required_argument, NULL, 't'},
        {"feed", required_argument, NULL, 'f'}, {"raw", required_argument, NULL, 'r'},
        {"echo", no_argument, NULL, 'e'}, {"tls", no_argument, NULL, 's'}, {0},
    };
    size_t most = 0;
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 'h': settings->host = optarg; break;
        case 'p': settings->port = atoi(optarg); break;
        case 'n': most = strtoul(optarg, NULL, 10); break;
        case 't': tokens = read_lines(optarg, &token_count); break;
        case 'f': feed = optarg; break;
        case 'r': raw_bytes = strtoull(optarg, NULL, 10); break;
        case 'e': is_echo = true; break;
        case 's': stream_use_tls(); break;
        default: exit(2);
        }
    }
    if (settings->port <= 0 || most == 0 || (token_count > 0) + (raw_bytes > 0) + is_echo != 1 || optind != count) {
        fprintf(stderr, "usage: %s --port PORT --connections MOST (--tokens FILE [--feed NAME] | --echo | --raw BYTES)"
            " [--tls] [--host IPV4]\n", arguments[0]);
        exit(2);
    }
    settings->path = raw_bytes ? NULL : is_echo ? "/" : "/v1/live";
    if (token_count) settings->subprotocol = "belfry.v1";
    return most;
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct session_settings settings = {.host = "127.0.0.1", .events = {
        .opened = opened, .received = received, .received_bytes = received_bytes, .ended = ended}};
    size_t most = read_options(count, arguments, &settings);
    sessions = calloc(most, sizeof *sessions);
    if (!sessions) fail("out of memory");
    sessions_begin(&settings);
    herd_begin(most, connect_one);
    while (true) {
        bool is_full = sessions_poll(-1, command) == EVENTS_AT_ONCE;
        if (!is_full && herd_is_complete()) usleep(NAP_MICROSECONDS);
    }
}
