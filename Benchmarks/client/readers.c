/* Subscribers of a feed in one process and one thread, which measure how long its items take to them. Some of them
 * are slow: they have a small receive buffer, and stop reading when told to. Only the others are measured.
 *
 * An item holds `"t"`, the monotonic clock's nanoseconds at which it was published.
 *
 * Commands come on standard input, a line each:
 *   open N     until N sessions are open and subscribed
 *   measure    forgets what was measured
 *   stop K     the first K of the slow ones stop reading
 *   resume K   the first K of the slow ones read again
 *   reopen     the slow ones come back on new connections, whether they are still there or not
 *   report     says what was measured
 * News go to standard output as a JSON object a line: {"open":N}, {"ready":N}, {"error":"…"}, {"reopened":N}, and
 *   {"samples":S,"p50":…,"p99":…,"max":…,"slow":K,"closedAsSlow":C,"cut":R}
 *   microseconds; of the slow ones, how many were told 4203 and how many cut off without a word since `measure`
 */
#include "../lib/herd.h"
#include "../lib/report.h"
#include "../lib/session.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    /* As in subscribers.c, but short enough not to show in what is measured here. */
    NAP_MICROSECONDS = 500,
    MOST_SAMPLES = 8 << 20,
    CLOSED_AS_SLOW = 4203,
};

struct reader {
    struct session session;
    bool is_slow;
    bool is_stopped;
    int close_code;
};

static struct reader *readers;
static const char *feed;
static char **tokens;
static size_t token_count, slow_count, most;
static uint32_t *samples;
static size_t sample_count, closed_as_slow, cut, reopening;

static size_t index_of(const struct session *session) { return (size_t)((const struct reader *)session - readers); }

static void connect_one(size_t index) {
    struct reader *reader = &readers[index];
    /* Evenly among the others, so that whatever order the server has, they are everywhere in it. */
    reader->is_slow = slow_count && index % (most / slow_count) == 0 && index / (most / slow_count) < slow_count;
    reader->is_stopped = false;
    reader->close_code = 0;
    session_connect(&reader->session, index, tokens[index % token_count], reader->is_slow);
}

static void opened(struct session *session) { session_send_text(session, "{\"type\":\"hello\",\"active\":true}"); }

static void subscribed(void) {
    if (!herd_is_complete()) herd_opened();
    else if (reopening > 0 && --reopening == 0) printf("{\"reopened\":%zu}\n", herd_size());
}

static void received_item(const struct session *session) {
    if (((const struct reader *)session)->is_slow) return;
    int64_t published = frame_number(&session->reader, "t");
    if (published < 0) fail("an item does not tell when it was published");
    if (sample_count == MOST_SAMPLES) fail("more than %d samples: measure for a shorter time", MOST_SAMPLES);
    samples[sample_count++] = (uint32_t)((now() - (uint64_t)published) / 1000);
}

static void received_text(struct session *session) {
    const struct frame_reader *reader = &session->reader;
    char json[512];
    if (frame_has_type(reader, "item")) {
        received_item(session);
    } else if (frame_has_type(reader, "ready")) {
        snprintf(json, sizeof json, "{\"type\":\"subscribe\",\"feed\":\"%s\"}", feed);
        session_send_text(session, json);
    } else if (frame_has_type(reader, "feed")) {
        subscribed();
    } else if (frame_has_type(reader, "error")
               || (frame_has_type(reader, "gap") && !((const struct reader *)session)->is_slow)) {
        fail("session %zu got %.*s", index_of(session), reader->kept_bytes, (const char *)reader->kept);
    }
}

static void received(struct session *session) {
    if (frame_opcode(&session->reader) == OPCODE_TEXT) received_text(session);
    if (frame_opcode(&session->reader) == OPCODE_CLOSE)
        ((struct reader *)session)->close_code = frame_close_code(&session->reader);
}

static void ended(struct session *session, enum session_end end, const char *why) {
    struct reader *reader = (struct reader *)session;
    if (!reader->is_slow)
        fail("session %zu: %s: %s (close code %d)", index_of(session), session_end_names[end], why, reader->close_code);
    if (reader->close_code == CLOSED_AS_SLOW) closed_as_slow++;
    else cut++;
}

/* ---- Commands ---- */

static void each_slow(void (*act)(struct reader *reader), size_t count) {
    for (size_t i = 0; i < herd_size() && count > 0; i++) {
        if (!readers[i].is_slow) continue;
        act(&readers[i]);
        count--;
    }
}

static void stop(struct reader *reader) {
    if (reader->session.state != SESSION_OPEN || reader->is_stopped) return;
    reader->is_stopped = true;
    session_pause(&reader->session);
}

static void resume(struct reader *reader) {
    if (!reader->is_stopped) return;
    reader->is_stopped = false;
    /* A close frame waits only so long behind all that was not read. */
    stream_widen(&reader->session.stream);
    session_resume(&reader->session);
}

static void reopen(struct reader *reader) {
    session_drop(&reader->session);
    reopening++;
    connect_one((size_t)(reader - readers));
}

static int by_size(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

static void report(void) {
    qsort(samples, sample_count, sizeof *samples, by_size);
    printf("{\"samples\":%zu", sample_count);
    if (sample_count)
        printf(",\"p50\":%u,\"p99\":%u,\"max\":%u", samples[sample_count / 2], samples[sample_count * 99 / 100],
            samples[sample_count - 1]);
    printf(",\"slow\":%zu,\"closedAsSlow\":%zu,\"cut\":%zu}\n", slow_count, closed_as_slow, cut);
}

static void command(const char *line) {
    size_t count;
    if (sscanf(line, "open %zu", &count) == 1) {
        herd_open(count);
    } else if (strcmp(line, "measure") == 0) {
        sample_count = closed_as_slow = cut = 0;
    } else if (sscanf(line, "stop %zu", &count) == 1) {
        each_slow(stop, count);
    } else if (sscanf(line, "resume %zu", &count) == 1) {
        each_slow(resume, count);
    } else if (strcmp(line, "reopen") == 0) {
        each_slow(reopen, slow_count);
    } else if (strcmp(line, "report") == 0) {
        report();
    } else {
        fail("unknown command: %s", line);
    }
}

/* ---- Start ---- */

static void read_options(int count, char **arguments, struct session_settings *settings) {
    static const struct option known[] = {
        {"port", required_argument, NULL, 'p'}, {"connections", required_argument, NULL, 'n'},
        {"tokens", required_argument, NULL, 't'}, {"feed", required_argument, NULL, 'f'},
        {"slow", required_argument, NULL, 'l'}, {"tls", no_argument, NULL, 's'}, {0},
    };
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 'p': settings->port = atoi(optarg); break;
        case 'n': most = strtoul(optarg, NULL, 10); break;
        case 't': tokens = read_lines(optarg, &token_count); break;
        case 'f': feed = optarg; break;
        case 'l': slow_count = strtoul(optarg, NULL, 10); break;
        case 's': stream_use_tls(); break;
        default: exit(2);
        }
    }
    if (settings->port <= 0 || most == 0 || !tokens || !feed || slow_count > most || optind != count) {
        fprintf(stderr, "usage: %s --port PORT --connections MOST --tokens FILE --feed NAME --slow COUNT [--tls]\n",
            arguments[0]);
        exit(2);
    }
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct session_settings settings = {
        .host = "127.0.0.1", .path = "/v1/live", .subprotocol = "belfry.v1",
        .events = {.opened = opened, .received = received, .ended = ended}};
    read_options(count, arguments, &settings);
    readers = calloc(most, sizeof *readers);
    samples = malloc(MOST_SAMPLES * sizeof *samples);
    if (!readers || !samples) fail("out of memory");
    sessions_begin(&settings);
    herd_begin(most, connect_one);
    while (true) {
        bool is_full = sessions_poll(-1, command) == EVENTS_AT_ONCE;
        if (!is_full && herd_is_complete()) usleep(NAP_MICROSECONDS);
    }
}
