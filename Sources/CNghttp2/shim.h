// nghttp2's interface as it is.
#ifndef BELFRY_CNGHTTP2_H
#define BELFRY_CNGHTTP2_H
#include <nghttp2/nghttp2.h>
#endif
