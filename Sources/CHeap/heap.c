#include "heap.h"

// How jemalloc is set; what the environment says in MALLOC_CONF goes first (jemalloc(3), TUNING).
//
// Each thread keeps freed pieces for itself, up to 200 of each small size by default. Threads of queues come and go, and there
// are more of them than processors: with 32 they hold a third of a megabyte less, and nothing takes longer.
const char *malloc_conf = "tcache_nslots_small_max:32";
