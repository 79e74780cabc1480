/* Many subscribers of any publish-and-subscribe server over WebSocket, in one process and one thread: they count the
 * messages that they get.
 *
 * Commands come on standard input, a line each: `open N` (until N are open in all), `count`, `quit`.
 * News go to standard output as a JSON object a line:
 *   {"open":N}              on the way, every 1,000
 *   {"ready":N}             all N are open and subscribed
 *   {"frames":F,"bytes":B}  messages, and bytes of the frames that held them: whenever each listener could have got one
 *                           more message, and as the answer to `count`
 *   {"error":"…"}           a listener was lost or got something that it cannot count; the program ends with status 1
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

enum {
    /* As in subscribers.c: were each frame to wake this process, the sender would pay for it. */
    NAP_MICROSECONDS = 2000,
    MOST_BYTES = 1024,
};

struct bytes {
    uint8_t data[MOST_BYTES];
    size_t size;
};

/* Sent after the upgrade, in one binary frame; nothing where the upgrade alone subscribes. */
static struct bytes greeting;
/* What the last frame before the first message ends with. */
static struct bytes confirmation;
/* What a frame may hold besides whole messages: the protocol's own ping. */
static uint64_t ignored_bytes;
/* Of one message in a frame's payload: a server may put several into one frame. */
static uint64_t message_bytes;
static struct session *sessions;
static bool *is_confirmed;
static uint64_t messages, bytes, next_report;

static size_t index_of(const struct session *session) { return (size_t)(session - sessions); }

static void connect_one(size_t index) { session_connect(&sessions[index], index, NULL, false); }

static void complete(struct session *session) {
    is_confirmed[index_of(session)] = true;
    if (herd_opened()) next_report = (messages / herd_size() + 1) * herd_size();
}

static void opened(struct session *session) {
    if (greeting.size == 0) complete(session);
    else session_send(session, OPCODE_BINARY, greeting.data, greeting.size);
}

/* ---- Input ---- */

static void report(void) { printf("{\"frames\":%" PRIu64 ",\"bytes\":%" PRIu64 "}\n", messages, bytes); }

static void received_before(struct session *session) {
    const struct frame_reader *reader = &session->reader;
    size_t kept = reader->kept_bytes, wanted = confirmation.size;
    bool is_whole = reader->payload_bytes == kept;
    if (is_whole && kept >= wanted && memcmp(reader->kept + kept - wanted, confirmation.data, wanted) == 0)
        complete(session);
}

static void received_messages(const struct session *session) {
    const struct frame_reader *reader = &session->reader;
    uint64_t besides = reader->payload_bytes % message_bytes;
    if (besides != 0 && besides != ignored_bytes)
        fail("listener %zu got %" PRIu64 " bytes, which are no messages of %" PRIu64 ": %.*s", index_of(session),
            reader->payload_bytes, message_bytes, reader->kept_bytes, (const char *)reader->kept);
    if (reader->payload_bytes < message_bytes) return;
    messages += reader->payload_bytes / message_bytes;
    bytes += frame_wire_bytes(reader);
    if (!herd_is_complete() || messages < next_report) return;
    next_report = (messages / herd_size() + 1) * herd_size();
    report();
}

static void received(struct session *session) {
    const struct frame_reader *reader = &session->reader;
    switch (frame_opcode(reader)) {
    case OPCODE_TEXT: case OPCODE_BINARY:
        if (is_confirmed[index_of(session)]) received_messages(session);
        else received_before(session);
        return;
    case OPCODE_PONG: return;
    case OPCODE_CLOSE: fail("listener %zu was closed: %d", index_of(session), frame_close_code(reader));
    default: fail("listener %zu got a frame of kind %d", index_of(session), frame_opcode(reader));
    }
}

static void ended(struct session *session, enum session_end end, const char *why) {
    fail("listener %zu: %s: %s", index_of(session), session_end_names[end], why);
}

/* ---- Start ---- */

static void command(const char *line) {
    size_t count;
    if (sscanf(line, "open %zu", &count) == 1) herd_open(count);
    else if (strcmp(line, "count") == 0) report();
    else fail("unknown command: %s", line);
}

static struct bytes from_hexadecimal(const char *text) {
    struct bytes result = {.size = strlen(text) / 2};
    if (result.size > MOST_BYTES) fail("more than %d bytes", MOST_BYTES);
    for (size_t i = 0; i < result.size; i++)
        if (sscanf(text + 2 * i, "%2hhx", &result.data[i]) != 1) fail("%s is not hexadecimal", text);
    return result;
}

static size_t read_options(int count, char **arguments, struct session_settings *settings) {
    static const struct option known[] = {
        {"port", required_argument, NULL, 'p'}, {"connections", required_argument, NULL, 'n'},
        {"path", required_argument, NULL, 'u'}, {"subprotocol", required_argument, NULL, 's'},
        {"greeting", required_argument, NULL, 'g'}, {"confirmation", required_argument, NULL, 'c'},
        {"ignored-bytes", required_argument, NULL, 'i'}, {"message-bytes", required_argument, NULL, 'm'}, {0},
    };
    size_t most = 0;
    for (int option; (option = getopt_long(count, arguments, "", known, NULL)) != -1;) {
        switch (option) {
        case 'p': settings->port = atoi(optarg); break;
        case 'n': most = strtoul(optarg, NULL, 10); break;
        case 'u': settings->path = optarg; break;
        case 's': settings->subprotocol = optarg; break;
        case 'g': greeting = from_hexadecimal(optarg); break;
        case 'c': confirmation = from_hexadecimal(optarg); break;
        case 'i': ignored_bytes = strtoull(optarg, NULL, 10); break;
        case 'm': message_bytes = strtoull(optarg, NULL, 10); break;
        default: exit(2);
        }
    }
    bool is_confirmable = (greeting.size > 0) == (confirmation.size > 0);
    if (settings->port <= 0 || most == 0 || message_bytes == 0 || !is_confirmable || optind != count) {
        fprintf(stderr, "usage: %s --port PORT --connections MOST --message-bytes N [--path TARGET]"
            " [--subprotocol NAME] [--greeting HEX --confirmation HEX [--ignored-bytes N]]\n", arguments[0]);
        exit(2);
    }
    return most;
}

int main(int count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct session_settings settings = {
        .host = "127.0.0.1", .path = "/", .events = {.opened = opened, .received = received, .ended = ended}};
    size_t most = read_options(count, arguments, &settings);
    sessions = calloc(most, sizeof *sessions);
    is_confirmed = calloc(most, sizeof *is_confirmed);
    if (!sessions || !is_confirmed) fail("out of memory");
    sessions_begin(&settings);
    herd_begin(most, connect_one);
    while (true) {
        bool is_full = sessions_poll(-1, command) == EVENTS_AT_ONCE;
        if (!is_full && herd_is_complete()) usleep(NAP_MICROSECONDS);
    }
}
