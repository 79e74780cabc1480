/// A member's key where the parser put it, valid as long as its ``JSONNode``.
package struct JSONKey {
    let utf8: UnsafeRawBufferPointer

    init(utf8: UnsafeRawBufferPointer) { self.utf8 = utf8 }

    /// A copy that lasts. simdjson has checked the UTF-8.
    package var text: String { String(decoding: utf8, as: UTF8.self) }

    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// Octet by octet.
    package static func == (key: JSONKey, text: StaticString) -> Bool {
        key.utf8.hasSameOctets(
            as: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package static func == (one: JSONKey, other: JSONKey) -> Bool { one.utf8.hasSameOctets(as: other.utf8) }
}
