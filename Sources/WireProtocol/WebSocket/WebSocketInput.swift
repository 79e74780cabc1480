/// A peer's bytes in the receive buffer, taken from the front and changed in place.
///
/// Valid for one call of a connection's handler: the buffer belongs to the caller.
package struct WebSocketInput {
    private var rest: UnsafeMutableRawBufferPointer

    package init(_ bytes: UnsafeMutableRawBufferPointer) { rest = bytes }

    var count: Int { rest.count }
    package var isEmpty: Bool { rest.isEmpty }
    /// The bytes that were not taken yet.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rest) }

    /// - Parameter count: at most ``count``.
    mutating func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let taken = UnsafeMutableRawBufferPointer(rebasing: rest[..<count])
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
        return taken
    }
}
