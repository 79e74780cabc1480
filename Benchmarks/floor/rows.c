/* The least that durable events can cost: a bare SQLite program that writes the rows of events, and nothing else.
 *
 * DATABASE is a store that Belfry has made, STATEMENTS what its rows are, as measure/shared/rows.py found them in a
 * real one: an SQL statement a line, behind the line `-- event`, `-- page SIZE` or `-- recipient` that tells how often
 * it runs: for each event, for each so many of its recipients, for each of them. Before that, `-- counts` with a query
 * for each inbox's id and how many notifications it has, and `-- content` with one for a content's highest number.
 * Parameters:
 *   :inbox the recipient's · :count how many notifications they have with this one · :content the event's number
 *   :event :key its names · :page which part of it · :random · :now milliseconds since 1970
 *
 * Commands come on standard input, a line each:
 *   write EVENTS RECIPIENTS ROWS  events for so many recipients each, committed whenever there are ROWS recipients; one
 *                                 recipient is drawn at random, many are all inboxes in turn
 *   fill EVENTS RECIPIENTS        likewise, as fast as can be and not durable
 * News go to standard output as a JSON object a line: {"inboxes":N} at the start, and
 *   {"wrote":TOTAL,"seconds":…,"commits":…}, TOTAL the events over all commands; {"error":"…"} ends the program
 */
#define _GNU_SOURCE
#include "../lib/report.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_STATEMENTS = 16, FILL_ROWS = 1000000 };

enum name { INBOX, COUNT, CONTENT, EVENT, KEY, PAGE, RANDOM, NOW, NAME_COUNT };
static const char *const names[NAME_COUNT] = {
    ":inbox", ":count", ":content", ":event", ":key", ":page", ":random", ":now"};

/* As Belfry's own writer has them where the disk has room and is fast (Sources/Storage/SQLite: OpenedDatabase.swift,
   LogLength.swift). */
#define WRITER_SETTINGS \
    "PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 64000;" \
    "PRAGMA journal_size_limit = 327680000"

struct statement {
    sqlite3_stmt *prepared;
    int places[NAME_COUNT];
};

struct group { struct statement statements[MOST_STATEMENTS]; int count; };

static sqlite3 *database;
static struct group per_event, per_page, per_recipient;
/* Whether each page has a content of its own, and so a number. */
static bool are_pages_numbered;
static int64_t values[NAME_COUNT], *counts, *inboxes;
static size_t inbox_count, page_size = 1;
static char event_id[64], key[64];
static uint64_t total, commits, started, random_state = 0x9E3779B97F4A7C15;

static _Noreturn void broken(const char *what) { fail("%s: %s", what, sqlite3_errmsg(database)); }

static void run(const char *sql) { if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) broken(sql); }

static uint64_t draw(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* ---- Start ---- */

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) broken(sql);
    return statement;
}

static void add(struct group *group, const char *sql) {
    if (group->count == MOST_STATEMENTS) fail("more than %d statements", MOST_STATEMENTS);
    struct statement *statement = &group->statements[group->count++];
    statement->prepared = prepared(sql);
    for (int name = 0; name < NAME_COUNT; name++)
        statement->places[name] = sqlite3_bind_parameter_index(statement->prepared, names[name]);
}

static void read_counts(const char *sql) {
    sqlite3_stmt *query = prepared(sql);
    while (sqlite3_step(query) == SQLITE_ROW) {
        if (inbox_count % 1024 == 0) {
            inboxes = realloc(inboxes, (inbox_count + 1024) * sizeof *inboxes);
            counts = realloc(counts, (inbox_count + 1024) * sizeof *counts);
            if (!inboxes || !counts) fail("out of memory");
        }
        inboxes[inbox_count] = sqlite3_column_int64(query, 0);
        counts[inbox_count++] = sqlite3_column_int64(query, 1);
    }
    sqlite3_finalize(query);
}

static int64_t highest_content(const char *sql) {
    sqlite3_stmt *query = prepared(sql);
    if (sqlite3_step(query) != SQLITE_ROW) broken(sql);
    int64_t highest = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return highest;
}

static void read_statements(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail("%s is not there", path);
    struct group *group = NULL;
    char *line = NULL, section[16] = "";
    for (size_t size = 0; getline(&line, &size, file) > 0;) {
        line[strcspn(line, "\n")] = 0;
        size_t number = 0;
        if (sscanf(line, "-- %15s %zu", section, &number) >= 1) {
            bool is_page = strcmp(section, "page") == 0;
            group = strcmp(section, "event") == 0 ? &per_event : is_page ? &per_page : &per_recipient;
            if (is_page) page_size = number;
        }
        else if (strcmp(section, "counts") == 0) read_counts(line);
        else if (strcmp(section, "content") == 0) values[CONTENT] = highest_content(line);
        else add(group, line);
    }
    if (per_recipient.count == 0 || page_size == 0) fail("%s lacks statements", path);
    for (int i = 0; i < per_page.count; i++) are_pages_numbered |= per_page.statements[i].places[CONTENT] > 0;
    fclose(file);
    free(line);
}

/* ---- Writing ---- */

static void step(const struct group *group) {
    for (int i = 0; i < group->count; i++) {
        const struct statement *statement = &group->statements[i];
        for (int name = 0; name < NAME_COUNT; name++) {
            int place = statement->places[name];
            if (!place) continue;
            if (name == EVENT) sqlite3_bind_text(statement->prepared, place, event_id, -1, SQLITE_STATIC);
            else if (name == KEY) sqlite3_bind_text(statement->prepared, place, key, -1, SQLITE_STATIC);
            else sqlite3_bind_int64(statement->prepared, place, values[name]);
        }
        if (sqlite3_step(statement->prepared) != SQLITE_DONE) broken(sqlite3_sql(statement->prepared));
        sqlite3_reset(statement->prepared);
    }
}

static void begin_event(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    values[NOW] = time.tv_sec * 1000 + time.tv_nsec / 1000000;
    if (!are_pages_numbered) values[CONTENT]++;
    values[RANDOM] = (int64_t)draw();
    /* Times first, as in Belfry's: they are appended to the end of an index. */
    snprintf(event_id, sizeof event_id, "evt_%010" PRIx64 "%08x%012" PRIx64, values[NOW], (unsigned)getpid(),
        ++started);
    snprintf(key, sizeof key, "bench-%08x-%09" PRIu64, (unsigned)getpid(), started);
    step(&per_event);
}

static void begin_page(size_t page) {
    values[PAGE] = (int64_t)page;
    if (are_pages_numbered) values[CONTENT]++;
    step(&per_page);
}

static void write_events(uint64_t events, size_t recipients, size_t rows_per_commit) {
    if (recipients > inbox_count) fail("there are only %zu inboxes", inbox_count);
    uint64_t began = now();
    size_t uncommitted = 0;
    commits = 0;
    for (uint64_t event = 0; event < events; event++) {
        for (size_t recipient = 0; recipient < recipients; recipient++) {
            if (uncommitted == 0) run("BEGIN IMMEDIATE");
            if (recipient == 0) begin_event();
            if (recipient % page_size == 0) begin_page(recipient / page_size);
            size_t place = recipients > 1 ? recipient : (size_t)(draw() >> 16) % inbox_count;
            values[INBOX] = inboxes[place];
            values[COUNT] = ++counts[place];
            step(&per_recipient);
            if (++uncommitted < rows_per_commit) continue;
            run("COMMIT");
            commits++;
            uncommitted = 0;
        }
    }
    if (uncommitted > 0) {
        run("COMMIT");
        commits++;
    }
    total += events;
    printf("{\"wrote\":%" PRIu64 ",\"seconds\":%.6f,\"commits\":%" PRIu64 "}\n", total,
        (double)(now() - began) / 1e9, commits);
}

static void command(const char *line) {
    uint64_t events;
    size_t recipients, rows;
    if (sscanf(line, "write %" SCNu64 " %zu %zu", &events, &recipients, &rows) == 3 && recipients && rows) {
        write_events(events, recipients, rows);
    } else if (sscanf(line, "fill %" SCNu64 " %zu", &events, &recipients) == 2 && recipients) {
        /* Every page that is written again is still in memory, and goes to the log once a commit. */
        run("PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA wal_autocheckpoint = 100000");
        write_events(events, recipients, FILL_ROWS);
        run(WRITER_SETTINGS);
    } else {
        fail("unknown command: %s", line);
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count != 3) {
        fprintf(stderr, "usage: %s DATABASE STATEMENTS\n", arguments[0]);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) broken(arguments[1]);
    run("PRAGMA journal_mode = WAL");
    run(WRITER_SETTINGS);
    read_statements(arguments[2]);
    printf("{\"inboxes\":%zu}\n", inbox_count);
    while (true) read_commands(command);
}
