/* Clients that come, talk a little and vanish, each in the next of many ways, in one process and one thread.
 *
 * Commands come on standard input, a line each: `start RATE` (so many a minute), `stop` (no further ones), `report`.
 * News go to standard output as a JSON object a line: {"error":"…"}, {"gone":N} when after `stop` all have ended, and
 *   {"begun":N,"here":H,"ways":{"NAME":N,…},"unexpected":U,"overdue":O,"last":"…"}
 *   how many vanished in each way; `unexpected` ended before they were to, and `overdue` were not ended by the server
 *   within --patience seconds though its timers should have; `last` tells of the last such one.
 */
#include "../lib/herd.h"
#include "../lib/report.h"
#include "../lib/session.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AT_ONCE = 8000, TICK_MILLISECONDS = 5, CLOSED_WELL = 1000, FRAME_BYTES = 512 };

enum way {
    CLEAN_CLOSE,     /* a close frame, and waits for the server's end */
    RESET,           /* a reset, while open */
    HALF_CLOSE,      /* ends its output, and waits for the server's end */
    SILENCE,         /* neither reads nor writes any more */
    MID_FRAME,       /* a reset within a frame */
    MID_FRAME_END,   /* ends its output within a frame, and waits for the server's end */
    MID_REQUEST,     /* a reset within the request for the upgrade */
    MID_REQUEST_SILENCE,  /* half of the request, then nothing */
    BEFORE_REQUEST,  /* connected, and encrypted where that is asked for, then nothing */
    BEFORE_TLS,      /* connected, then nothing */
    WITHOUT_HELLO,   /* upgraded without a token, then nothing */
    WAY_COUNT,
};

static const char *const way_names[WAY_COUNT] = {
    "cleanClose", "reset", "halfClose", "silence", "midFrame", "midFrameEnd", "midRequest", "midRequestSilence",
    "beforeRequest", "beforeTLS", "withoutHello",
};

struct churner {
    struct session session;
    enum way way;
    bool is_here;
    /* What was to be done is done: the server's end is awaited. */
    bool is_leaving;
    bool is_paused;
    int close_code;
    /* By when it must be over. */
    uint64_t due;
};

static struct churner churners[MOST_AT_ONCE];
static char **tokens;
static size_t token_count;
static uint64_t patience = 15000000000, rate, started;
static size_t begun, begun_since_start, here, unexpected, overdue, gone_by[WAY_COUNT];
static char last[160];

/* ---- Coming and going ---- */

static void gone(struct churner *churner, bool is_well, const char *why) {
    churner->is_here = false;
    here--;
    if (is_well) {
        gone_by[churner->way]++;
    } else {
        unexpected++;
        snprintf(last, sizeof last, "%s: %s, close code %d", way_names[churner->way], why, churner->close_code);
    }
    if (here == 0 && rate == 0) printf("{\"gone\":%zu}\n", begun);
}

static void ended(struct session *session, enum session_end end, const char *why) {
    struct churner *churner = (struct churner *)session;
    bool is_well = churner->is_leaving && end != END_REFUSED && end != END_VIOLATION;
    if (churner->way == CLEAN_CLOSE) is_well = end == END_FINISHED && churner->close_code == CLOSED_WELL;
    gone(churner, is_well, why);
}

/* Leaves with a reset. */
static void vanish(struct churner *churner) {
    session_drop(&churner->session);
    gone(churner, true, NULL);
}

static void begin(void) {
    static size_t place;
    for (size_t tried = 0; tried < MOST_AT_ONCE; tried++) {
        struct churner *churner = &churners[place++ % MOST_AT_ONCE];
        if (churner->is_here) continue;
        *churner = (struct churner){.is_here = true, .way = (enum way)(begun % WAY_COUNT), .due = now() + patience};
        const char *token = churner->way == WITHOUT_HELLO ? NULL : tokens[begun % token_count];
        here++;
        begun++;
        begun_since_start++;
        return session_connect(&churner->session, (size_t)(churner - churners), token, false);
    }
    fail("more than %d at once: fewer a minute, or less patience", MOST_AT_ONCE);
}

static bool connected(struct session *session) {
    struct churner *churner = (struct churner *)session;
    churner->is_leaving = churner->way == BEFORE_TLS;
    return !churner->is_leaving;
}

static bool secured(struct session *session) {
    struct churner *churner = (struct churner *)session;
    char request[2560];
    switch (churner->way) {
    case BEFORE_REQUEST: break;
    case MID_REQUEST: case MID_REQUEST_SILENCE: {
        size_t length = session_request(request, sizeof request, tokens[0]);
        stream_send(&session->stream, request, length / 2);
        if (churner->way == MID_REQUEST) {
            vanish(churner);
            return false;
        }
        break;
    }
    default: return true;
    }
    churner->is_leaving = true;
    return false;
}

static void opened(struct session *session) {
    struct churner *churner = (struct churner *)session;
    if (churner->way == WITHOUT_HELLO) churner->is_leaving = true;
    else session_send_text(session, "{\"type\":\"hello\",\"active\":true}");
}

/* ---- Talking ---- */

static void talk(struct session *session) {
    static const char *const frames[] = {
        "{\"type\":\"subscribe\",\"feed\":\"churn\"}", "{\"type\":\"ack\",\"seq\":0}",
        "{\"type\":\"state\",\"active\":true,\"id\":\"done\"}",
    };
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) if (!session_send_text(session, frames[i])) return;
    session_send(session, OPCODE_PING, "churn", 5);
}

static void send_half_a_frame(struct session *session) {
    uint8_t frame[FRAME_BYTES];
    char text[200];
    memset(text, ' ', sizeof text);
    stream_send(&session->stream, frame, frame_write(frame, OPCODE_TEXT, text, sizeof text) / 2);
}

static void leave(struct churner *churner) {
    struct session *session = &churner->session;
    static const uint8_t code[] = {CLOSED_WELL >> 8, CLOSED_WELL & 0xFF};
    churner->is_leaving = true;
    churner->due = now() + patience;
    switch (churner->way) {
    case CLEAN_CLOSE: session_send(session, OPCODE_CLOSE, code, sizeof code); break;
    case RESET: vanish(churner); break;
    case HALF_CLOSE: stream_finish(&session->stream); break;
    case SILENCE:
        churner->is_paused = true;
        session_pause(session);
        break;
    case MID_FRAME:
        send_half_a_frame(session);
        vanish(churner);
        break;
    case MID_FRAME_END:
        send_half_a_frame(session);
        stream_finish(&session->stream);
        break;
    default: fail("%s does not talk", way_names[churner->way]);
    }
}

static void received(struct session *session) {
    struct churner *churner = (struct churner *)session;
    const struct frame_reader *reader = &session->reader;
    if (frame_opcode(reader) == OPCODE_CLOSE) churner->close_code = frame_close_code(reader);
    if (frame_opcode(reader) != OPCODE_TEXT || churner->is_leaving) return;
    if (frame_has_type(reader, "ready")) talk(session);
    else if (frame_has_type(reader, "ok")) leave(churner);
    else if (frame_has_type(reader, "error"))
        fail("a session got %.*s", reader->kept_bytes, (const char *)reader->kept);
}

/* ---- Time ---- */

static void look_after(struct churner *churner, uint64_t time) {
    if (!churner->is_here || churner->due > time) return;
    if (churner->is_paused) {
        /* Now it looks whether the server has ended it; that takes no second. */
        churner->is_paused = false;
        churner->due = time + 1000000000;
        return session_resume(&churner->session);
    }
    overdue++;
    snprintf(last, sizeof last, "%s: not ended by the server%s", way_names[churner->way],
        churner->is_leaving ? "" : ", and not yet to leave");
    session_drop(&churner->session);
    churner->is_here = false;
    here--;
    if (here == 0 && rate == 0) printf("{\"gone\":%zu}\n", begun);
}

static void tick(void) {
    uint64_t time = now();
    uint64_t due = (uint64_t)((double)(time - started) / 60e9 * (double)rate);
    while (rate && begun_since_start < due) begin();
    static uint64_t looked;
    if (time - looked < 100000000) return;
    looked = time;
    for (size_t i = 0; i < MOST_AT_ONCE; i++) look_after(&churners[i], time);
}

/* ---- Commands ---- */

static void report(void) {
    printf("{\"begun\":%zu,\"here\":%zu,\"ways\":{", begun, here);
    for (int way = 0; way < WAY_COUNT; way++) printf("%s\"%s\":%zu", way ? "," : "", way_names[way], gone_by[way]);
    for (char *c = last; *c; c++) if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') *c = '\'';
    printf("},\"unexpected\":%zu,\"overdue\":%zu,\"last\":\"%s\"}\n", unexpected, overdue, last);
}

static void command(const char *line) {
    size_t count;
    if (sscanf(line, "start %zu", &count) == 1) {
        rate = count;
        begun_since_start = 0;
        started = now();
    } else if (strcmp(line, "stop") == 0) {
        rate = 0;
        if (here == 0) printf("{\"gone\":%zu}\n", begun);
    } else if (strcmp(line, "report") == 0) {
        report();
    } else {
        fail("unknown command: %s", line);
    }
}

static void read_options(int count, char **arguments, struct session_settings *settings) {
    static const struct option known[] = {
        {"port", required_argument, NULL, 'p'}, {"tokens", required_argument, NULL, 't'},
        {"patience", required_argument, NULL, 'w'}, {"tls", no_argument, NULL, 's'}, {0},
    };
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 'p': settings->port = atoi(optarg); break;
        case 't': tokens = read_lines(optarg, &token_count); break;
        case 'w': patience = strtoull(optarg, NULL, 10) * 1000000000; break;
        case 's': stream_use_tls(); break;
        default: exit(2);
        }
    }
    if (settings->port <= 0 || !tokens || optind != count) {
        fprintf(stderr, "usage: %s --port PORT --tokens FILE [--patience SECONDS] [--tls]\n", arguments[0]);
        exit(2);
    }
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct session_settings settings = {
        .host = "127.0.0.1", .path = "/v1/live", .subprotocol = "belfry.v1",
        .events = {
            .connected = connected, .secured = secured, .opened = opened, .received = received, .ended = ended}};
    read_options(count, arguments, &settings);
    sessions_begin(&settings);
    while (true) {
        sessions_poll(TICK_MILLISECONDS, command);
        tick();
    }
}
