// What SQLite takes by functions of any number of arguments: Swift cannot call those.
#ifndef BELFRY_CSQLITE_H
#define BELFRY_CSQLITE_H

#include <sqlite3.h>

/// From now on SQLite counts nothing of the memory that it takes (c3ref/c_config_covering_index_scan.html,
/// SQLITE_CONFIG_MEMSTATUS); to be called before the first connection. Returns its code.
static inline int belfry_sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Writes the functions of SQLite's page cache (c3ref/pcache_methods2.html) to `functions`; to be called before the first
/// connection. Returns its code.
static inline int belfry_sqlite_page_cache(sqlite3_pcache_methods2 *functions) {
    return sqlite3_config(SQLITE_CONFIG_GETPCACHE2, functions);
}

/// Has SQLite copy `functions` and use them for its page caches; to be called before the first connection. Returns its code.
static inline int belfry_sqlite_take_page_cache(const sqlite3_pcache_methods2 *functions) {
    return sqlite3_config(SQLITE_CONFIG_PCACHE2, functions);
}

#endif
