// simdjson's document model behind C functions: Swift reads the parsed document in place, node by node.
#ifndef BELFRY_CSIMDJSON_H
#define BELFRY_CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The document last parsed on a thread, as simdjson's doc/tape.md describes it: a word a value, whose highest byte is its
/// type, and the strings apart, each with its length before it. In the type's word of a number that is kept as it was
/// written stands, plus one, where its text lies in `numbers`, with its length before it, too.
typedef struct { const uint64_t *words; const char *strings; const char *numbers; } belfry_json_tape;

/// One node of a tape, or a place between two nodes while iterating.
typedef struct { const belfry_json_tape *tape; size_t index; } belfry_json_node;

/// A member of an object: its key, of so many bytes, and its value.
typedef struct { const char *key; size_t key_count; belfry_json_node value; } belfry_json_member;

typedef enum {
    BELFRY_JSON_NULL, BELFRY_JSON_BOOL, BELFRY_JSON_INT64, BELFRY_JSON_DOUBLE, BELFRY_JSON_NUMBER,
    BELFRY_JSON_STRING, BELFRY_JSON_ARRAY, BELFRY_JSON_OBJECT
} belfry_json_kind;

/// Parses a whole document. Returns NULL and sets `root`, or returns simdjson's words for what is wrong.
/// The document lives until the next parse on the same thread, whatever comes of that.
const char *belfry_json_parse(const uint8_t *bytes, size_t count, size_t maximum_depth, belfry_json_node *root);

// What follows is asked for every value of every document, and is here so that its callers inline it.

static inline uint64_t belfry_json_word(belfry_json_node node) { return node.tape->words[node.index]; }
static inline char belfry_json_type(belfry_json_node node) { return (char)(belfry_json_word(node) >> 56); }

static inline belfry_json_kind belfry_json_kind_of(belfry_json_node node) {
    switch (belfry_json_type(node)) {
        case '[': return BELFRY_JSON_ARRAY;
        case '{': return BELFRY_JSON_OBJECT;
        case 'l': return BELFRY_JSON_INT64;
        // All of the former have a text.
        case 'u':
        case 'd': return belfry_json_word(node) & 0xFFFFFFFFFFFFFF ? BELFRY_JSON_NUMBER : BELFRY_JSON_DOUBLE;
        case '"': return BELFRY_JSON_STRING;
        case 't':
        case 'f': return BELFRY_JSON_BOOL;
        default: return BELFRY_JSON_NULL;
    }
}

static inline bool belfry_json_bool(belfry_json_node node) { return belfry_json_type(node) == 't'; }
static inline int64_t belfry_json_int64(belfry_json_node node) { return (int64_t)node.tape->words[node.index + 1]; }

static inline double belfry_json_double(belfry_json_node node) {
    double number;
    memcpy(&number, node.tape->words + node.index + 1, sizeof number);
    return number;
}

/// The text of a BELFRY_JSON_NUMBER, as it was written; not for any other value.
static inline const char *belfry_json_number(belfry_json_node node, size_t *count) {
    const char *number = node.tape->numbers + (belfry_json_word(node) & 0xFFFFFFFFFFFFFF) - 1;
    uint32_t length;
    memcpy(&length, number, sizeof length);
    *count = length;
    return number + sizeof length;
}

/// NULL for anything but a string.
static inline const char *belfry_json_string(belfry_json_node node, size_t *count) {
    if (belfry_json_type(node) != '"') return NULL;
    const char *string = node.tape->strings + (belfry_json_word(node) & 0xFFFFFFFFFFFFFF);
    uint32_t length;
    memcpy(&length, string, sizeof length);
    *count = length;
    return string + sizeof length;
}

/// The place behind a value.
static inline belfry_json_node belfry_json_after(belfry_json_node node) {
    uint64_t word = belfry_json_word(node);
    char type = (char)(word >> 56);
    // As most values are.
    if (type == '"') {
        node.index += 1;
    } else if (type == '{' || type == '[') {
        node.index = (uint32_t)word;
    } else {
        node.index += type == 'l' || type == 'u' || type == 'd' ? 2 : 1;
    }
    return node;
}

/// The first child of an array or object and the place behind the last; in an object a place is a key with its value.
static inline void belfry_json_children(belfry_json_node parent, belfry_json_node *first, belfry_json_node *end) {
    *first = *end = parent;
    first->index += 1;
    end->index = (uint32_t)belfry_json_word(parent) - 1;
}

/// How many children there are; may be less than the truth where there are more than 16,777,214.
static inline size_t belfry_json_count(belfry_json_node parent) { return belfry_json_word(parent) >> 32 & 0xFFFFFF; }

static inline belfry_json_node belfry_json_next_element(belfry_json_node place) { return belfry_json_after(place); }

/// Reads the member at a place of an object, and returns the place behind it.
static inline belfry_json_node belfry_json_read_member(belfry_json_node place, belfry_json_member *member) {
    member->key = belfry_json_string(place, &member->key_count);
    place.index += 1;
    member->value = place;
    return belfry_json_after(place);
}

/// Finds the first member of that key in an object; false, and no value, if there is none.
static inline bool belfry_json_find(
    belfry_json_node object, const char *key, size_t key_count, belfry_json_node *value
) {
    belfry_json_node place, end;
    belfry_json_children(object, &place, &end);
    while (place.index != end.index) {
        const char *string = place.tape->strings + (belfry_json_word(place) & 0xFFFFFFFFFFFFFF);
        uint32_t length;
        memcpy(&length, string, sizeof length);
        place.index += 1;
        // Most keys differ in length already.
        if (length == key_count && memcmp(string + sizeof length, key, key_count) == 0) {
            *value = place;
            return true;
        }
        place = belfry_json_after(place);
    }
    return false;
}

#ifdef __cplusplus
}
#endif
#endif
