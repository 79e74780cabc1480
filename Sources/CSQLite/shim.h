// What SQLite takes by functions of any number of arguments: Swift cannot call those.
#ifndef BELFRY_CSQLITE_H
#define BELFRY_CSQLITE_H

#include <sqlite3.h>

/// From now on SQLite counts nothing of the memory that it takes (c3ref/c_config_covering_index_scan.html,
/// SQLITE_CONFIG_MEMSTATUS); to be called before the first connection. Returns its code.
static inline int belfry_sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
