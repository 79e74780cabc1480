/// The extensions behind a chunk's size (RFC 9112 §7.1.1). They are checked, but not used: another reader could take a
/// quote without an end for a line that continues, and would then see other chunks.
enum HTTPChunkExtensions {
    /// Whether `rest` is a sequence of `; name`, `; name=token` and `; name="quoted"`, with white space around the
    /// signs.
    static func areWellFormed(_ rest: ArraySlice<UInt8>) -> Bool {
        var rest = rest
        while !rest.isEmpty {
            skipSpace(&rest)
            guard rest.popFirst() == UInt8(ascii: ";") else { return false }
            skipSpace(&rest)
            guard skipToken(&rest) else { return false }
            var behind = rest
            skipSpace(&behind)
            guard behind.first == UInt8(ascii: "=") else { continue }
            rest = behind.dropFirst()
            skipSpace(&rest)
            guard rest.first == UInt8(ascii: "\"") ? skipQuoted(&rest) : skipToken(&rest) else { return false }
        }
        return true
    }

    private static func skipSpace(_ rest: inout ArraySlice<UInt8>) { rest = rest.drop(while: \.isSpaceOrTab) }

    private static func skipToken(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let end = rest.firstIndex { !$0.isTokenCharacter } ?? rest.endIndex
        defer { rest = rest[end...] }
        return end > rest.startIndex
    }

    /// Skips a quoted string; `\` escapes the next character (RFC 9110 §5.6.4).
    private static func skipQuoted(_ rest: inout ArraySlice<UInt8>) -> Bool {
        rest.removeFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), escaped == .tab || !escaped.isControl else { return false }
            case _ where byte.isControl && byte != .tab: return false
            case _: break
            }
        }
        return false
    }
}
