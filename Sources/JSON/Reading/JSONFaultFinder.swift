/// Finds the place where a text stops being JSON (RFC 8259).
///
/// The parser for documents tells only the kind of a mistake. This finder reads a refused text again, character by
/// character, only to tell its author the place.
struct JSONFaultFinder {
    struct Fault: Error {
        var reason: String
        var offset: Int
        /// The offset behind a byte order mark.
        var textStart = 0
        var pointer = ""
    }

    private enum Step {
        case element(Int)
        /// The range of the member's name in the text, without its quotes.
        case member(Range<Int>)
    }

    private let bytes: UnsafeRawBufferPointer
    private var place: Int
    private var path: [Step] = []

    /// Nil if no fault is found.
    static func find(in bytes: UnsafeRawBufferPointer) -> Fault? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var finder = JSONFaultFinder(bytes: bytes, place: start)
        do throws(Fault) {
            try finder.readDocument()
            return nil
        } catch {
            var fault = error
            (fault.textStart, fault.pointer) = (start, finder.pointer)
            return fault
        }
    }

    private init(bytes: UnsafeRawBufferPointer, place: Int) { (self.bytes, self.place) = (bytes, place) }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func fault(_ reason: String, at offset: Int? = nil) -> Fault {
        Fault(reason: reason, offset: offset ?? place)
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    /// Skips a character if it is the next one.
    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: sign) else { return false }
        place += 1
        return true
    }

    private mutating func readDocument() throws(Fault) {
        skipSpace()
        guard next != nil else { throw fault("the text is empty") }
        try readValue()
        skipSpace()
        guard next == nil else { throw fault("expected nothing behind the document") }
    }

    private mutating func readValue() throws(Fault) {
        switch next {
        case UInt8(ascii: "{"): try readObject()
        case UInt8(ascii: "["): try readArray()
        case UInt8(ascii: "\""): try readString()
        case let sign? where "-0123456789".utf8.contains(sign): try readNumber()
        case nil: throw fault("the text ends where a value is expected")
        default: try readWord()
        }
    }

    private mutating func readWord() throws(Fault) {
        let word = bytes[place...].prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        guard ["true", "false", "null"].contains(where: { word.elementsEqual($0.utf8) }) else {
            throw fault("expected a value")
        }
        place = word.endIndex
    }

    private mutating func readNumber() throws(Fault) {
        let number = bytes[place...].prefix { "+-.0123456789eE".utf8.contains($0) }
        guard JSONNumber(String(decoding: number, as: UTF8.self)) != nil else {
            throw fault("expected a JSON number")
        }
        place = number.endIndex
    }

    private func checkDepth() throws(Fault) {
        guard path.count < JSONValue.maximumDepth - 1 else {
            throw fault("nested deeper than \(JSONValue.maximumDepth - 1) levels")
        }
    }

    private mutating func readArray() throws(Fault) {
        try checkDepth()
        place += 1
        skipSpace()
        if skip("]") { return }
        path.append(.element(0))
        for index in 0... {
            path[path.count - 1] = .element(index)
            skipSpace()
            try readValue()
            skipSpace()
            if skip("]") { break }
            guard skip(",") else { throw fault(next == nil ? "the text ends within an array" : "expected , or ]") }
        }
        path.removeLast()
    }

    private mutating func readObject() throws(Fault) {
        try checkDepth()
        place += 1
        skipSpace()
        if skip("}") { return }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else {
                throw fault(next == nil ? "the text ends within an object" : "expected a member's name in quotes")
            }
            let start = place + 1
            try readString()
            path.append(.member(start..<(place - 1)))
            skipSpace()
            guard skip(":") else { throw fault("expected : behind a member's name") }
            skipSpace()
            try readValue()
            path.removeLast()
            skipSpace()
            if skip("}") { return }
            guard skip(",") else { throw fault(next == nil ? "the text ends within an object" : "expected , or }") }
        }
    }

    // MARK: Strings

    private mutating func readString() throws(Fault) {
        place += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return
            case UInt8(ascii: "\\"): try readEscape()
            case 0..<0x20: throw fault("a control character in a string must be escaped")
            case 0x20..<0x80: place += 1
            default: try readCharacter()
            }
        }
        throw fault("the text ends within a string")
    }

    private mutating func readCharacter() throws(Fault) {
        let octets = bytes[place..<min(place + 4, bytes.count)]
        guard let scalar = String(decoding: octets, as: UTF8.self).unicodeScalars.first,
            octets.starts(with: String(scalar).utf8)
        else { throw fault("a string is not valid UTF-8") }
        place += UTF8.width(scalar)
    }

    private mutating func readEscape() throws(Fault) {
        let start = place
        place += 1
        guard let sign = next else { throw fault("the text ends within a string") }
        place += 1
        guard sign == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(sign) else { throw fault("an escape that JSON does not have", at: start) }
            return
        }
        let unit = try readUnit(of: start)
        switch unit {
        case 0xDC00...0xDFFF: throw fault("half of a surrogate pair: a character was cut in two", at: start)
        case 0xD800...0xDBFF:
            let second = place
            guard skip("\\"), skip("u"), 0xDC00...0xDFFF ~= (try readUnit(of: second)) else {
                throw fault("half of a surrogate pair: a character was cut in two", at: start)
            }
        default: break
        }
    }

    /// The four digits behind `\u`.
    private mutating func readUnit(of escape: Int) throws(Fault) -> Int {
        let digits = bytes[place..<min(place + 4, bytes.count)]
        let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard digits.count == 4, isHexadecimal, let unit = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            throw fault("expected four hexadecimal digits behind \\u", at: escape)
        }
        place += 4
        return unit
    }

    // MARK: The place

    private var pointer: String {
        path.map { step in
            switch step {
            case .element(let index): return "/\(index)"
            case .member(let name):
                let name = String(decoding: bytes[name], as: UTF8.self)
                return "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
            }
        }.joined()
    }
}
