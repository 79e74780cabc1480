/// What may follow a chunk's size (RFC 9112 §7.1.1). Nothing here reads extensions; a reader that took a quote that is
/// not closed for a line that goes on would see other chunks than we do.
enum HTTPChunkExtensions {
    /// Whether `rest` is any number of `; name`, `; name=token` and `; name="quoted"`, white space around the signs.
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

    /// A string in quotes with `\` before what would end it (RFC 9110 §5.6.4).
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
