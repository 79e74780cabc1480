/// Reads `tracestate` (W3C Trace Context Level 2 §3.3.1): at most 32 members `key=value`, each key once.
enum TraceState {
    private static let maximumMembers = 32
    /// Receivers should pass on that many characters at least; longer lists are left out.
    private static let maximumBytes = 512

    /// Joins the header's lines; nil for an empty or wrong list.
    static func read(_ lines: [String]) -> String? {
        let members = lines.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .map { trimmed(Array($0)[...]) }.filter { !$0.isEmpty }
        var keys: Set<ArraySlice<UInt8>> = []
        guard 1...maximumMembers ~= members.count, members.reduce(members.count - 1, { $0 + $1.count }) <= maximumBytes
        else { return nil }
        for member in members {
            guard let end = member.firstIndex(of: UInt8(ascii: "=")), isKey(member[..<end]),
                isValue(member[(end + 1)...]), keys.insert(member[..<end]).inserted
            else { return nil }
        }
        return members.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let front = text.drop(while: isSpace)
        return front.prefix(upTo: (front.lastIndex { !isSpace($0) } ?? front.startIndex - 1) + 1)
    }

    private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
        guard 1...256 ~= key.count, let first = key.first, isLetter(first) || isDigit(first) else { return false }
        return key.allSatisfy { isLetter($0) || isDigit($0) || "_-*/@".utf8.contains($0) }
    }

    private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
        1...256 ~= value.count
            && value.allSatisfy { 0x20...0x7E ~= $0 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
