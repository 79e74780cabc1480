#include "CSimdjson.h"

#include <simdjson.h>

using namespace simdjson;

namespace {

// The header reads the tape by itself.
using internal::tape_type;
static_assert(
    char(tape_type::START_ARRAY) == '[' && char(tape_type::START_OBJECT) == '{' && char(tape_type::STRING) == '"' &&
    char(tape_type::INT64) == 'l' && char(tape_type::UINT64) == 'u' && char(tape_type::DOUBLE) == 'd' &&
    char(tape_type::TRUE_VALUE) == 't' && char(tape_type::FALSE_VALUE) == 'f' && char(tape_type::NULL_VALUE) == 'n' &&
    internal::JSON_VALUE_MASK == 0xFFFFFFFFFFFFFF && internal::JSON_COUNT_MASK == 0xFFFFFF,
    "simdjson changed its tape");

// An older one lets a lone low surrogate through, as octets that are no UTF-8; texts are passed on as they are parsed.
static_assert(
    SIMDJSON_VERSION_MAJOR * 10000 + SIMDJSON_VERSION_MINOR * 100 + SIMDJSON_VERSION_REVISION >= 20201,
    "simdjson 2.2.1 or newer is needed");

struct Reader {
    dom::parser parser;
    dom::document document;
    belfry_json_tape tape;
};

// A parser keeps what its largest document needed, so large ones get a parser that is replaced by the next.
constexpr size_t kept_capacity = 64 * 1024;

}  // namespace

extern "C" {

const char *belfry_json_parse(const uint8_t *bytes, size_t count, size_t maximum_depth, belfry_json_node *root) {
    static thread_local Reader kept;
    static thread_local Reader large;
    Reader &reader = count <= kept_capacity ? kept : large;
    if (&reader == &kept && large.parser.capacity() > 0) large = Reader();
    // What follows may free what it points into, and then fail.
    reader.tape = {};
    if (reader.parser.max_depth() != maximum_depth || reader.parser.capacity() < count) {
        if (auto error = reader.parser.allocate(count < 1024 ? 1024 : count, maximum_depth)) return error_message(error);
    }
    auto error = reader.parser.parse_into_document(reader.document, bytes, count).error();
    if (error) return error_message(error);
    reader.tape = {reader.document.tape.get(), reinterpret_cast<const char *>(reader.document.string_buf.get())};
    // Before the first value stands the root's own word.
    *root = {&reader.tape, 1};
    return nullptr;
}

}
