/// Where the texts and blobs of a statement lie while it runs, so that SQLite need not allocate, copy and free each of
/// them.
///
/// Never moves, and lives as long as its statements are run. Belongs to the connection's queue.
final class ArgumentRoom {
    /// The next run's arguments take the place of those of the last one.
    let bytes: UnsafeMutableRawBufferPointer

    init(capacity: Int) { bytes = .allocate(byteCount: capacity, alignment: 1) }

    deinit { bytes.deallocate() }
}
