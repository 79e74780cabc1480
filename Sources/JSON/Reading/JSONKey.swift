/// A member's key in the parser's memory; valid as long as its ``JSONNode``.
package struct JSONKey {
    let utf8: UnsafeRawBufferPointer

    init(utf8: UnsafeRawBufferPointer) { self.utf8 = utf8 }

    /// A copy that lasts.
    package var text: String { String(checkedUTF8: utf8) }

    var isASCII: Bool {
        var all: UInt8 = 0
        for octet in utf8 { all |= octet }
        return all < 0x80
    }

    /// Compares octet by octet.
    @inline(__always)
    func isEqual(to text: StaticString) -> Bool {
        utf8.hasEqualOctets(to: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    func isEqual(to other: JSONKey) -> Bool { utf8.hasEqualOctets(to: other.utf8) }
}
