import Glibc

/// The parts of a Belfry frame that a load session needs, read without a parser: the type, which comes first, and a
/// notification's `seq`, which comes second.
package enum FrameGlance: Hashable {
    case ready
    /// A new or changed notification.
    case notification(seq: Int64)
    case item
    /// A subscription has begun.
    case feed
    case ok
    case gap
    case reset
    case error
    /// The session need not act on it.
    case other

    package init(_ bytes: UnsafeRawBufferPointer) {
        self =
            if let rest = Self.rest(of: bytes, behind: #"{"type":"item""#) {
                rest.isEmpty ? .other : .item
            } else if let rest = Self.rest(of: bytes, behind: #"{"type":"new","seq":"#) {
                .notification(seq: Self.number(rest))
            } else if let rest = Self.rest(of: bytes, behind: #"{"type":"update","seq":"#) {
                .notification(seq: Self.number(rest))
            } else if Self.rest(of: bytes, behind: #"{"type":"ok""#) != nil {
                .ok
            } else if Self.rest(of: bytes, behind: #"{"type":"ready""#) != nil {
                .ready
            } else if Self.rest(of: bytes, behind: #"{"type":"feed""#) != nil {
                .feed
            } else if Self.rest(of: bytes, behind: #"{"type":"gap""#) != nil {
                .gap
            } else if Self.rest(of: bytes, behind: #"{"type":"reset""#) != nil {
                .reset
            } else if Self.rest(of: bytes, behind: #"{"type":"error""#) != nil {
                .error
            } else {
                .other
            }
    }

    private static func rest(of bytes: UnsafeRawBufferPointer, behind start: StaticString) -> Slice<
        UnsafeRawBufferPointer
    >? {
        guard bytes.count >= start.utf8CodeUnitCount, let base = bytes.baseAddress,
            memcmp(base, start.utf8Start, start.utf8CodeUnitCount) == 0
        else { return nil }
        return bytes[start.utf8CodeUnitCount...]
    }

    private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int64 {
        bytes.prefix(18).prefix { (0x30...0x39).contains($0) }.reduce(0) { $0 * 10 + Int64($1 & 0xF) }
    }
}
