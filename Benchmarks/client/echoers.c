/* Clients of a WebSocket echo server, in one thread: each sends text messages and checks what comes back.
 *
 * Commands come on standard input, a line each:
 *   open N          until N connections are open
 *   busy M          until M messages are echoed, each connection sending its next one when the last is back
 *   paced M RATE    M messages at evenly spaced times, RATE a second in all, over the connections in turn
 * News go to standard output as a JSON object a line: {"open":N}, {"ready":N}, {"error":"…"}, and after the last echo
 *   {"echoed":M,"seconds":S,"late":L,"p50":…,"p99":…}   of all so far; microseconds from sending to the echo;
 *   `late` is how many were sent more than a millisecond behind their time
 *
 * While messages are under way this program never sleeps: if it did, the server would pay for waking it.
 */
#include "../lib/herd.h"
#include "../lib/report.h"
#include "../lib/session.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LATE_NANOSECONDS = 1000000, LONGEST_PAYLOAD = CONTROL_BYTES };

struct echoer {
    struct session session;
    /* When its oldest message under way was sent, and how many are. */
    uint64_t sent_at;
    uint32_t under_way;
};

static struct echoer *echoers;
static char payload[LONGEST_PAYLOAD + 1];
static size_t payload_bytes = 64;
static uint8_t frame[LONGEST_PAYLOAD + 8];
static size_t frame_bytes;

/* The current command: how many are to send, were sent, and came back; and the pace, 0 where each waits for its own. */
static uint64_t wanted, sent, echoed, late, began;
static double rate;
/* Over all commands. */
static uint64_t echoed_in_all;
static uint32_t *delays;
static size_t delay_count;

static size_t index_of(const struct session *session) { return (size_t)((const struct echoer *)session - echoers); }

static void connect_one(size_t index) { session_connect(&echoers[index].session, index, NULL, false); }

static void opened(struct session *session) {
    (void)session;
    herd_opened();
}

static void ended(struct session *session, enum session_end end, const char *why) {
    fail("connection %zu: %s: %s", index_of(session), session_end_names[end], why);
}

static void send_next(struct echoer *echoer) {
    if (echoer->under_way++ == 0) echoer->sent_at = now();
    sent++;
    if (!stream_send(&echoer->session.stream, frame, frame_bytes))
        fail("connection %zu: the server does not keep up", index_of(&echoer->session));
}

/* ---- Results ---- */

static int by_size(const void *one, const void *other) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return a < b ? -1 : a > b;
}

static void finish(void) {
    double seconds = (double)(now() - began) / 1e9;
    qsort(delays, delay_count, sizeof *delays, by_size);
    printf("{\"echoed\":%" PRIu64 ",\"seconds\":%.6f,\"late\":%" PRIu64 ",\"p50\":%u,\"p99\":%u}\n", echoed_in_all,
        seconds, late, delays[delay_count / 2], delays[delay_count * 99 / 100]);
    wanted = 0;
}

static void received(struct session *session) {
    struct echoer *echoer = (struct echoer *)session;
    const struct frame_reader *reader = &session->reader;
    bool is_same = frame_opcode(reader) == OPCODE_TEXT && reader->payload_bytes == payload_bytes
        && memcmp(reader->kept, payload, payload_bytes) == 0;
    if (!is_same || echoer->under_way == 0)
        fail("connection %zu got a frame of kind %d with %" PRIu64 " bytes: %.*s", index_of(session),
            frame_opcode(reader), reader->payload_bytes, reader->kept_bytes, (const char *)reader->kept);
    uint64_t time = now();
    /* With several under way only the oldest one's delay is known; the next is counted from here. */
    delays[delay_count++] = (uint32_t)((time - echoer->sent_at) / 1000);
    echoer->sent_at = time;
    echoer->under_way--;
    echoed_in_all++;
    if (++echoed == wanted) finish();
    else if (rate == 0 && sent < wanted) send_next(echoer);
}

/* ---- Commands ---- */

static void start(uint64_t messages, double messages_a_second) {
    if (!herd_is_complete() || wanted || messages == 0) fail("nothing is open, something is under way, or no message");
    wanted = messages;
    rate = messages_a_second;
    sent = echoed = late = 0;
    delay_count = 0;
    delays = realloc(delays, messages * sizeof *delays);
    if (!delays) fail("out of memory");
    began = now();
    if (rate == 0) for (size_t i = 0; i < herd_size() && sent < wanted; i++) send_next(&echoers[i]);
}

static void send_due(void) {
    uint64_t time = now();
    while (sent < wanted) {
        uint64_t due = began + (uint64_t)((double)sent * 1e9 / rate);
        if (time < due) return;
        if (time - due > LATE_NANOSECONDS) late++;
        send_next(&echoers[sent % herd_size()]);
    }
}

static void command(const char *line) {
    size_t count;
    double pace;
    if (sscanf(line, "open %zu", &count) == 1) herd_open(count);
    else if (sscanf(line, "busy %zu", &count) == 1) start(count, 0);
    else if (sscanf(line, "paced %zu %lf", &count, &pace) == 2 && pace > 0) start(count, pace);
    else fail("unknown command: %s", line);
}

/* ---- Start ---- */

static size_t read_options(int count, char **arguments, struct session_settings *settings) {
    static const struct option known[] = {
        {"host", required_argument, NULL, 'h'}, {"port", required_argument, NULL, 'p'},
        {"connections", required_argument, NULL, 'n'}, {"bytes", required_argument, NULL, 'b'},
        {"tls", no_argument, NULL, 's'}, {0},
    };
    size_t most = 0;
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 'h': settings->host = optarg; break;
        case 'p': settings->port = atoi(optarg); break;
        case 'n': most = strtoul(optarg, NULL, 10); break;
        case 'b': payload_bytes = strtoul(optarg, NULL, 10); break;
        case 's': stream_use_tls(); break;
        default: exit(2);
        }
    }
    if (settings->port <= 0 || most == 0 || payload_bytes > LONGEST_PAYLOAD || optind != count) {
        fprintf(stderr, "usage: %s --port PORT --connections MOST [--bytes TO_%d] [--tls] [--host IPV4]\n",
            arguments[0], LONGEST_PAYLOAD);
        exit(2);
    }
    return most;
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct session_settings settings = {
        .host = "127.0.0.1", .path = "/", .events = {.opened = opened, .received = received, .ended = ended}};
    size_t most = read_options(count, arguments, &settings);
    for (size_t i = 0; i < payload_bytes; i++) payload[i] = (char)('a' + i % 26);
    frame_bytes = frame_write(frame, OPCODE_TEXT, payload, payload_bytes);
    echoers = calloc(most, sizeof *echoers);
    if (!echoers) fail("out of memory");
    sessions_begin(&settings);
    herd_begin(most, connect_one);
    while (true) {
        sessions_poll(wanted ? 0 : -1, command);
        if (wanted && rate > 0) send_due();
    }
}
