// simdjson's document model behind C functions: Swift reads the parsed document in place, node by node.
#ifndef BELFRY_CSIMDJSON_H
#define BELFRY_CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One node of the document last parsed on this thread, or a place between two nodes while iterating.
typedef struct { const void *document; size_t index; } belfry_json_node;

/// A member of an object: its key, of so many bytes, and its value.
typedef struct { const char *key; size_t key_count; belfry_json_node value; } belfry_json_member;

typedef enum {
    BELFRY_JSON_NULL, BELFRY_JSON_BOOL, BELFRY_JSON_INT64, BELFRY_JSON_DOUBLE,
    BELFRY_JSON_STRING, BELFRY_JSON_ARRAY, BELFRY_JSON_OBJECT
} belfry_json_kind;

/// Parses a whole document. Returns NULL and sets `root`, or returns simdjson's words for what is wrong.
/// The document lives until the next parse on the same thread.
const char *belfry_json_parse(const uint8_t *bytes, size_t count, size_t maximum_depth, belfry_json_node *root);

belfry_json_kind belfry_json_kind_of(belfry_json_node node);
bool belfry_json_bool(belfry_json_node node);
int64_t belfry_json_int64(belfry_json_node node);
double belfry_json_double(belfry_json_node node);
/// NULL for anything but a string.
const char *belfry_json_string(belfry_json_node node, size_t *count);

/// The first child of an array or object and the place behind the last; in an object a place is a key with its value.
void belfry_json_children(belfry_json_node parent, belfry_json_node *first, belfry_json_node *end);
/// How many children there are; may be less than the truth where there are more than 16,777,214.
size_t belfry_json_count(belfry_json_node parent);
belfry_json_node belfry_json_next_element(belfry_json_node place);
/// Reads the member at a place of an object, and returns the place behind it.
belfry_json_node belfry_json_read_member(belfry_json_node place, belfry_json_member *member);

#ifdef __cplusplus
}
#endif
#endif
