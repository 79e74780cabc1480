// zlib's interface, and its macros as functions: Swift cannot see function-like macros.
#ifndef BELFRY_CZLIB_H
#define BELFRY_CZLIB_H

// Input is only read: `next_in` is then a pointer to const.
#define ZLIB_CONST
#include <zlib.h>

/// A compressor of raw deflate, without zlib's own header and checksum.
static inline int belfry_deflate_init(z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

/// A decompressor of raw deflate.
static inline int belfry_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, -window_bits);
}

/// Begins to read gzip (RFC 1952), and nothing else.
static inline int belfry_gunzip_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

/// Begins to write gzip, as small as it can be made.
static inline int belfry_gzip_init(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}

#endif
