#include "text.h"

#include <string.h>

/* How many bytes the character that begins here has, 0 if it is none. */
static size_t character(const uint8_t *text, size_t size) {
    uint8_t first = text[0], low = 0x80, high = 0xBF;
    size_t length;
    if (first >= 0xC2 && first <= 0xDF) length = 2;
    else if (first >= 0xE0 && first <= 0xEF) length = 3;
    else if (first >= 0xF0 && first <= 0xF4) length = 4;
    else return first < 0x80;
    /* RFC 3629 §4: only the second byte's range depends on the first. */
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
    if (size < length || text[1] < low || text[1] > high) return 0;
    for (size_t i = 2; i < length; i++) if ((text[i] & 0xC0) != 0x80) return 0;
    return length;
}

bool text_is_valid(const uint8_t *text, size_t size) {
    size_t i = 0;
    while (i < size) {
        uint64_t word;
        if (size - i >= sizeof word) {
            memcpy(&word, text + i, sizeof word);
            if (!(word & 0x8080808080808080)) {
                i += sizeof word;
                continue;
            }
        }
        size_t length = character(text + i, size - i);
        if (!length) return false;
        i += length;
    }
    return true;
}
