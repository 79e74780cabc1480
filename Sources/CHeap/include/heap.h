// Nothing to call: who links it has jemalloc's malloc in place of glibc's.
#ifndef BELFRY_CHEAP_H
#define BELFRY_CHEAP_H

#endif
