import JSON

/// Header fields in their order; names compare without case (RFC 9110 §5.1).
package struct HTTPHeaders: Sendable, Hashable {
    /// A field that can be written as it is: values that would break the line are refused, or repaired when it is made.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String

        /// Compares octet by octet: Swift's strings are also equal if their characters are only equivalent.
        package static func == (one: Self, other: Self) -> Bool {
            hasSameOctets(one.value, other.value) && hasSameOctets(one.name, other.name)
        }

        private static func hasSameOctets(_ one: String, _ other: String) -> Bool {
            let (octets, others) = (one.utf8Span.span, other.utf8Span.span)
            return octets.withUnsafeBytes { octets in others.withUnsafeBytes { octets.hasSameOctets(as: $0) } }
        }

        /// A field of this server. Control characters in its value become spaces, so that they cannot begin a line (RFC
        /// 9110 §5.5).
        init(name: String, value: String) {
            var (name, value) = (name, value)
            precondition(name.withUTF8(\.isToken), "a header name must be a token")
            let isOneLine = value.withUTF8 { !$0.contains(where: Self.isRefused) }
            self.name = name
            self.value =
                isOneLine
                ? value : String(decoding: value.utf8.map { Self.isRefused($0) ? .space : $0 }, as: UTF8.self)
        }
    }

    package private(set) var fields: [Field] = []

    package init() {}

    package mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    mutating func add(_ field: Field) { fields.append(field) }

    mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

    /// The first value of this name.
    package subscript(name: String) -> String? {
        // By index, so that only the result is copied.
        for index in fields.indices where fields[index].name.equalsIgnoringCase(name) { return fields[index].value }
        return nil
    }

    /// The headers with another value for a field that occurs once.
    func replacing(_ name: String, with value: String) -> HTTPHeaders {
        var headers = self
        if let index = fields.firstIndex(where: { $0.name.equalsIgnoringCase(name) }) {
            headers.fields[index] = Field(name: fields[index].name, value: value)
        }
        return headers
    }

    /// Appends all lines.
    func write(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: fields.reduce(0) { $0 + $1.byteCount }) { room in
            for field in fields { field.write(to: &room) }
        }
    }

    /// All values of this name, one for each field line.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// The value of a field that may occur only once; nil without it.
    ///
    /// - Throws: `repeated` for several of them.
    func only(_ name: String, else repeated: @autoclosure () -> HTTPViolation) throws(HTTPViolation) -> String? {
        var only: String?
        for index in fields.indices where fields[index].name.equalsIgnoringCase(name) {
            guard only == nil else { throw repeated() }
            only = fields[index].value
        }
        return only
    }

    /// The value of a list over all its field lines, joined to one (RFC 9110 §5.3); nil without it.
    package func joined(_ name: String) -> String? {
        var joined: String?
        for index in fields.indices where fields[index].name.equalsIgnoringCase(name) {
            joined = joined.map { "\($0), \(fields[index].value)" } ?? fields[index].value
        }
        return joined
    }

    /// The elements of a comma-separated list over all its field lines, without the empty ones (RFC 9110 §5.6.1).
    package func elements(of name: String) -> [String] {
        // Most heads have none of the requested lists.
        guard self[name] != nil else { return [] }
        return values(name).flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).compactMap { element in
                let trimmed = element.trimmingSpaceAndTab
                return trimmed.isEmpty ? nil : String(Substring(trimmed))
            }
        }
    }

    /// The media type in lower case, without parameters.
    package var mediaType: String? {
        guard let value = self["Content-Type"] else { return nil }
        // The usual form.
        if value == "application/json" { return value }
        return value.split(separator: ";").first.map { $0.lowercased().filter { !$0.isWhitespace } }
    }

    /// Whether a comma-separated list has `token`, in any case.
    package func hasToken(_ token: String, in name: String) -> Bool {
        elements(of: name).contains { $0.equalsIgnoringCase(token) }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }
}

extension HTTPHeaders.Field {
    /// The `Date` field for an answer (RFC 9110 §6.6.1).
    ///
    /// - Parameter seconds: since 1970, not negative.
    package static func date(_ seconds: Int64) -> Self { Self(name: "Date", value: HTTPDate.text(seconds)) }

    /// Whether a value cannot have this octet.
    private static func isRefused(_ byte: UInt8) -> Bool { byte.isControl && byte != .tab }

    /// Reads one field line without its line end (RFC 9112 §5).
    ///
    /// Octets above 0x7F that are not UTF-8 become U+FFFD.
    init(parsing line: UnsafeBufferPointer<UInt8>) throws(HTTPViolation) {
        if line.first?.isSpaceOrTab == true {
            throw .badRequest("a header line begins with white space; folded lines are not accepted")
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw .badRequest("a header line has no colon")
        }
        // White space before the colon is refused too: servers differ about it, and an attacker could use that.
        guard line[..<colon].isToken else { throw .badRequest("a header name is not a token") }
        let value = line[(colon + 1)...].trimmingSpaceAndTab
        guard !value.contains(where: Self.isRefused) else {
            throw .badRequest("a header value has a control character")
        }
        name = String(decoding: line[..<colon], as: UTF8.self)
        self.value = String(decoding: value, as: UTF8.self)
    }

    /// The length of the line, with its end.
    var byteCount: Int { name.utf8.count + value.utf8.count + 4 }

    /// Appends the line of ``byteCount`` bytes.
    func write(to room: inout OutputSpan<UInt8>) {
        room.append(text: name)
        room.append(constant: ": ")
        room.append(text: value)
        room.append(constant: "\r\n")
    }
}

extension BidirectionalCollection<UInt8> {
    var trimmingSpaceAndTab: SubSequence {
        guard let first = firstIndex(where: { !$0.isSpaceOrTab }), let last = lastIndex(where: { !$0.isSpaceOrTab })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
