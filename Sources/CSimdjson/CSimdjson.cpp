#include "CSimdjson.h"

#include <simdjson.h>

#include <cstring>
#include <string>
#include <string_view>

#include "Numbers.h"

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
    std::string numbers;
    belfry_json_tape tape;
};

// A parser keeps what its largest document needed, so large ones get a parser that is replaced by the next.
constexpr size_t kept_capacity = 64 * 1024;

bool is_number(char type) { return type == 'l' || type == 'u' || type == 'd'; }

/// Keeps the texts of numbers that neither an Int64 nor, for certain, a double can stand for, and notes on the tape where they
/// lie. Numbers stand on the tape in the order of the text, and nearly all documents have none but those of an Int64.
///
/// - Parameter keeps_all: whether also those of other doubles.
void keep_numbers(Reader &reader, std::string_view text, bool keeps_all) {
    reader.numbers.clear();
    uint64_t *tape = reader.document.tape.get();
    size_t end = size_t(tape[0] & internal::JSON_VALUE_MASK);
    bool has_others = false;
    for (size_t index = 1; index < end; index++) {
        auto type = char(tape[index] >> 56);
        has_others = has_others || type == 'd' || type == 'u';
        if (is_number(type)) index++;
    }
    if (!has_others) return;
    NumberScanner scanner{text};
    for (size_t index = 1; index < end; index++) {
        auto type = char(tape[index] >> 56);
        if (!is_number(type)) continue;
        std::string_view number = scanner.next();
        if (type == 'u' || (type == 'd' && (keeps_all || !is_short(number)))) {
            tape[index] |= reader.numbers.size() + 1;
            auto length = uint32_t(number.size());
            reader.numbers.append(reinterpret_cast<const char *>(&length), sizeof length);
            reader.numbers.append(number);
        }
        index++;
    }
}

}  // namespace

extern "C" {

const char *belfry_json_parse(const uint8_t *bytes, size_t count, size_t maximum_depth, belfry_json_node *root) {
    static thread_local Reader kept;
    static thread_local Reader large;
    Reader &reader = count <= kept_capacity ? kept : large;
    if (&reader == &kept && large.parser.capacity() > 0) large = Reader();
    // What follows may free what it points into, and then fail.
    reader.tape = {};
    std::string_view text(reinterpret_cast<const char *>(bytes), count);
    // RFC 8259 §8.1: a reader may pass over a byte order mark.
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
    if (reader.parser.max_depth() != maximum_depth || reader.parser.capacity() < count) {
        if (auto error = reader.parser.allocate(count < 1024 ? 1024 : count, maximum_depth)) return error_message(error);
    }
    auto error = reader.parser.parse_into_document(reader.document, text.data(), text.size()).error();
    bool has_unreadable = false;
    if (error) {
        // A number may be beyond what simdjson reads: its own text is what counts.
        std::string within_reach(text);
        has_unreadable = bring_numbers_within_reach(within_reach);
        if (!has_unreadable) return error_message(error);
        error = reader.parser.parse_into_document(reader.document, within_reach.data(), within_reach.size()).error();
        if (error) return error_message(error);
    }
    keep_numbers(reader, text, has_unreadable);
    reader.tape = {
        reader.document.tape.get(), reinterpret_cast<const char *>(reader.document.string_buf.get()),
        reader.numbers.data()};
    // Before the first value stands the root's own word.
    *root = {&reader.tape, 1};
    return nullptr;
}

}
