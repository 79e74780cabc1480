#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether it is UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. */
bool text_is_valid(const uint8_t *text, size_t size);

#endif
