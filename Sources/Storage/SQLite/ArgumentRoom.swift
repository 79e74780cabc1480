/// Where the texts and blobs of a statement lie while it runs, so that SQLite need not allocate, copy and free each of them.
///
/// Never moves, and lives as long as its statements are run. Belongs to the connection's queue.
final class ArgumentRoom {
    private let bytes: UnsafeMutableRawBufferPointer
    private var used = 0

    init(capacity: Int) { bytes = .allocate(byteCount: capacity, alignment: 1) }

    deinit { bytes.deallocate() }

    /// The next run's arguments take the place of those of the last one.
    func clear() { used = 0 }

    /// Copies an argument; nil if there is no room left.
    func keep(_ argument: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard argument.count <= bytes.count - used else { return nil }
        let place = UnsafeMutableRawBufferPointer(rebasing: bytes[used..<used + argument.count])
        place.copyMemory(from: argument)
        used += argument.count
        return place.baseAddress.map { UnsafeRawPointer($0) }
    }
}
