/// A peer's bytes where they lie, to be taken from the front and changed in place.
///
/// Made for one call of a connection's handler: the buffer below belongs to somebody else, and is gone after it.
package struct WebSocketInput {
    private var rest: UnsafeMutableRawBufferPointer

    package init(_ bytes: UnsafeMutableRawBufferPointer) { rest = bytes }

    var count: Int { rest.count }
    package var isEmpty: Bool { rest.isEmpty }
    /// What was not taken yet.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rest) }

    /// - Parameter count: no more than there are.
    mutating func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let taken = UnsafeMutableRawBufferPointer(rebasing: rest[..<count])
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
        return taken
    }
}
