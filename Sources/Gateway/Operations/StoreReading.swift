import Store

/// What a store tells of itself without being asked for rows.
struct StoreReading {
    var waitingRows = 0
    var damagedRows = 0
    var freeBytes: Int64?
    /// With the wait for the disk or the database.
    var commits: DurationCounts?
    /// Where several nodes share it.
    var node: NodeFigures?
}

extension StoreReading {
    init(of store: any Store) {
        self.init(
            waitingRows: store.waitingRows, damagedRows: store.damagedRows, freeBytes: store.freeBytes,
            commits: store.commitDurations, node: store.nodeFigures)
    }
}
