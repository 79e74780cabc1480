/// Why bytes are not JSON, with the place.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The first character that cannot be read.
    package struct Place: Sendable, Hashable {
        /// From 1, as editors count.
        package let line: Int
        /// From 1, in characters (Unicode scalars), of the line.
        package let column: Int
        /// The value that contains the place (RFC 6901).
        package let pointer: String
        /// Whether the text ends there, too early.
        package let isEnd: Bool
    }

    package let reason: String
    /// Nil for the text as a whole.
    package let place: Place?

    package var description: String { description(startingAt: 1) }

    /// - Parameter line: the number of the text's first line, in a larger text.
    package func description(startingAt line: Int) -> String {
        guard let place else { return "invalid JSON: \(reason)" }
        return "invalid JSON at line \(line + place.line - 1), column \(place.column): \(reason)"
    }

    /// For the text as a whole.
    init(reason: String) { (self.reason, place) = (reason, nil) }

    /// - Parameter fallback: the parser's words, for a mistake that is not found again.
    init(in bytes: UnsafeRawBufferPointer, fallback: String) {
        guard let fault = JSONFaultFinder.find(in: bytes) else {
            self.init(reason: fallback)
            return
        }
        var (line, column) = (1, 1)
        for byte in bytes[fault.textStart..<fault.offset] {
            switch byte {
            case UInt8(ascii: "\n"): (line, column) = (line + 1, 1)
            case 0x80...0xBF: break  // goes on with a character
            default: column += 1
            }
        }
        self.init(
            fault.reason, Place(line: line, column: column, pointer: fault.pointer, isEnd: fault.offset >= bytes.count))
    }

    private init(_ reason: String, _ place: Place) { (self.reason, self.place) = (reason, place) }
}
