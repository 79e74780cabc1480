// Numbers as they stand in a JSON text.
#ifndef BELFRY_NUMBERS_H
#define BELFRY_NUMBERS_H

#include <string>
#include <string_view>

namespace {

/// Finds a text's numbers, one after the other; what stands in strings is none.
struct NumberScanner {
    std::string_view text;
    size_t at = 0;

    static bool is_digit(char sign) { return sign >= '0' && sign <= '9'; }

    /// Empty behind the last one.
    std::string_view next() {
        while (at < text.size()) {
            char sign = text[at];
            if (sign == '"') {
                skip_string();
            } else if (sign == '-' || is_digit(sign)) {
                size_t start = at;
                at = text.find_first_not_of("+-.0123456789Ee", at);
                if (at == text.npos) at = text.size();
                return text.substr(start, at - start);
            } else {
                at++;
            }
        }
        return {};
    }

    void skip_string() {
        for (at++; at < text.size() && text[at] != '"'; at++) {
            if (text[at] == '\\') at++;
        }
        at++;
    }
};

/// Whether it is a number (RFC 8259 §6); says where its digits begin and where its exponent's do, which is its end without
/// one.
inline bool is_number(std::string_view text, size_t &digits, size_t &exponent) {
    size_t at = 0;
    auto skip_digits = [&] {
        size_t start = at;
        while (at < text.size() && NumberScanner::is_digit(text[at])) at++;
        return at > start;
    };
    if (at < text.size() && text[at] == '-') at++;
    digits = at;
    if (!skip_digits() || (text[digits] == '0' && at > digits + 1)) return false;
    if (at < text.size() && text[at] == '.') {
        at++;
        if (!skip_digits()) return false;
    }
    exponent = text.size();
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (at < text.size() && (text[at] == '+' || text[at] == '-')) at++;
        exponent = at;
        if (!skip_digits()) return false;
    }
    return at == text.size();
}

/// Whether a number has 15 digits at most, and is of a usual size: a double then tells it from every other such number, and its
/// shortest text says the same.
inline bool is_short(std::string_view number) {
    size_t digits, exponent;
    if (!is_number(number, digits, exponent) || number.size() - exponent > 2) return false;
    size_t count = 0;
    for (char sign : number.substr(digits, number.find_first_of("eE") - digits)) count += NumberScanner::is_digit(sign);
    return count <= 15;
}

/// Makes numbers that are too large for any reader's type ones of the same length that are not; returns whether there are
/// any. Only for a text whose numbers' values nobody looks at.
inline bool bring_numbers_within_reach(std::string &json) {
    bool has_changed = false;
    NumberScanner scanner{json};
    while (true) {
        std::string_view number = scanner.next();
        if (number.empty()) return has_changed;
        size_t digits, exponent;
        if (!is_number(number, digits, exponent)) continue;
        size_t start = size_t(number.data() - json.data());
        size_t whole = number.find_first_of(".eE", digits);
        if (whole == number.npos) whole = number.size();
        // Fewer digits fit into 64 bits.
        if (whole - digits > 18) {
            if (whole < number.size() && number[whole] == '.') json[start + whole] = '0';
            json[start + digits + 1] = '.';
            has_changed = true;
        }
        for (size_t place = exponent; place < number.size(); place++) {
            json[start + place] = '0';
            has_changed = true;
        }
    }
}

}  // namespace

#endif
