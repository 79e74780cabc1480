#include "CSimdjson.h"

#include <cstring>
#include <simdjson.h>

using namespace simdjson;

namespace {

// simdjson's references into its tape are two plain words; they cross into C as such.
template <typename Reference> Reference unpack(belfry_json_node node) {
    static_assert(sizeof(Reference) == sizeof(belfry_json_node), "simdjson changed its tape reference");
    Reference reference;
    std::memcpy(static_cast<void *>(&reference), &node, sizeof node);
    return reference;
}

template <typename Reference> belfry_json_node pack(const Reference &reference) {
    static_assert(sizeof(Reference) == sizeof(belfry_json_node), "simdjson changed its tape reference");
    belfry_json_node node;
    std::memcpy(&node, static_cast<const void *>(&reference), sizeof node);
    return node;
}

// A parser keeps what its largest document needed, so large ones get a parser that is replaced by the next.
constexpr size_t kept_capacity = 64 * 1024;

}  // namespace

extern "C" {

const char *belfry_json_parse(const uint8_t *bytes, size_t count, size_t maximum_depth, belfry_json_node *root) {
    static thread_local dom::parser kept;
    static thread_local dom::parser large;
    dom::parser &parser = count <= kept_capacity ? kept : large;
    if (&parser == &kept && large.capacity() > 0) large = dom::parser();
    if (parser.max_depth() != maximum_depth || parser.capacity() < count) {
        if (auto error = parser.allocate(count < 1024 ? 1024 : count, maximum_depth)) return error_message(error);
    }
    dom::element element;
    auto error = parser.parse(bytes, count).get(element);
    if (error) return error_message(error);
    *root = pack(element);
    return nullptr;
}

belfry_json_kind belfry_json_kind_of(belfry_json_node node) {
    switch (unpack<dom::element>(node).type()) {
        case dom::element_type::ARRAY: return BELFRY_JSON_ARRAY;
        case dom::element_type::OBJECT: return BELFRY_JSON_OBJECT;
        case dom::element_type::INT64: return BELFRY_JSON_INT64;
        case dom::element_type::UINT64:
        case dom::element_type::DOUBLE: return BELFRY_JSON_DOUBLE;
        case dom::element_type::STRING: return BELFRY_JSON_STRING;
        case dom::element_type::BOOL: return BELFRY_JSON_BOOL;
        case dom::element_type::NULL_VALUE: return BELFRY_JSON_NULL;
    }
    return BELFRY_JSON_NULL;
}

bool belfry_json_bool(belfry_json_node node) { return bool(unpack<dom::element>(node)); }
int64_t belfry_json_int64(belfry_json_node node) { return int64_t(unpack<dom::element>(node)); }
double belfry_json_double(belfry_json_node node) { return double(unpack<dom::element>(node)); }

const char *belfry_json_string(belfry_json_node node, size_t *count) {
    std::string_view text;
    if (unpack<dom::element>(node).get(text)) return nullptr;
    *count = text.size();
    return text.data();
}

void belfry_json_children(belfry_json_node parent, belfry_json_node *first, belfry_json_node *end) {
    auto element = unpack<dom::element>(parent);
    if (element.is_object()) {
        dom::object object = element;
        *first = pack(object.begin());
        *end = pack(object.end());
    } else {
        dom::array array = element;
        *first = pack(array.begin());
        *end = pack(array.end());
    }
}

size_t belfry_json_count(belfry_json_node parent) {
    auto element = unpack<dom::element>(parent);
    return element.is_object() ? dom::object(element).size() : dom::array(element).size();
}

belfry_json_node belfry_json_next_element(belfry_json_node place) {
    auto iterator = unpack<dom::array::iterator>(place);
    return pack(++iterator);
}

belfry_json_node belfry_json_read_member(belfry_json_node place, belfry_json_member *member) {
    auto iterator = unpack<dom::object::iterator>(place);
    std::string_view key = iterator.key();
    *member = {key.data(), key.size(), pack(iterator.value())};
    return pack(++iterator);
}

}
