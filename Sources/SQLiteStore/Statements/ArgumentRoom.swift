/// Holds the texts and blobs of a statement while it runs, so that SQLite need not allocate, copy and free each of
/// them.
///
/// Never moves, and lives as long as its statements. Belongs to the connection's queue.
final class ArgumentRoom {
    /// Each run's arguments replace those of the last run.
    let bytes: UnsafeMutableRawBufferPointer

    init(capacity: Int) { bytes = .allocate(byteCount: capacity, alignment: 1) }

    deinit { bytes.deallocate() }
}
