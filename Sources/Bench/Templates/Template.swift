/// A text with places for values that differ between sessions or publications; parsed once.
///
/// `{{now}}` is the marker, `{{user}}` the user, `{{index}}` the session's number, and `{{token}}` the user's token.
/// `{{payload}}` is the marker with padding up to the wanted size, and `{{size}}` the payload's number of bytes.
package struct Template: Sendable, Hashable {
    private enum Piece: Sendable, Hashable {
        case text([UInt8])
        case place(Place)
    }

    package enum Place: String, Sendable, CaseIterable {
        case now, user, index, payload, size, token
    }

    /// Why a text is no template.
    package struct Problem: Error, CustomStringConvertible, Hashable {
        let name: String
        package var description: String {
            let known = Place.allCases.map { "{{\($0.rawValue)}}" }.joined(separator: ", ")
            return "{{\(name)}} is no place for a value; known are \(known)"
        }
    }

    /// The values for the places.
    package struct Values {
        package var marker: Marker
        package var user: String
        package var index: Int
        package var payloadBytes: Int
        package var token: String

        package init(marker: Marker, user: String, index: Int, payloadBytes: Int, token: String = "") {
            self.marker = marker
            self.user = user
            self.index = index
            self.payloadBytes = payloadBytes
            self.token = token
        }

        /// At least the marker's length, because the marker is never cut.
        var realPayloadBytes: Int { max(payloadBytes, Marker.byteCount) }
    }

    /// The template's text.
    package let source: String
    private let pieces: [Piece]

    package init(_ text: String) throws(Problem) {
        source = text
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = Self.range(of: "{{", in: rest), let close = Self.range(of: "}}", in: rest[open.upperBound...])
        {
            let name = rest[open.upperBound..<close.lowerBound]
            guard let place = Place(rawValue: String(name)) else { throw Problem(name: String(name)) }
            if open.lowerBound > rest.startIndex { pieces.append(.text(Array(rest[..<open.lowerBound].utf8))) }
            pieces.append(.place(place))
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.text(Array(rest.utf8))) }
        self.pieces = pieces
    }

    /// Whether its output contains the due time.
    package var hasMarker: Bool { has(.now) || has(.payload) }

    /// Whether it has this place.
    package func has(_ place: Place) -> Bool { pieces.contains(.place(place)) }

    package func append(_ values: Values, to bytes: inout [UInt8]) {
        for piece in pieces {
            switch piece {
            case .text(let text): bytes.append(contentsOf: text)
            case .place(.now): values.marker.append(to: &bytes)
            case .place(.user): bytes.append(contentsOf: values.user.utf8)
            case .place(.index): bytes.append(contentsOf: String(values.index).utf8)
            case .place(.size): bytes.append(contentsOf: String(values.realPayloadBytes).utf8)
            case .place(.token): bytes.append(contentsOf: values.token.utf8)
            case .place(.payload):
                values.marker.append(to: &bytes)
                bytes.append(
                    contentsOf: repeatElement(UInt8(ascii: "x"), count: values.realPayloadBytes - Marker.byteCount))
            }
        }
    }

    package func rendered(_ values: Values) -> [UInt8] {
        var bytes: [UInt8] = []
        append(values, to: &bytes)
        return bytes
    }

    private static func range(of sign: String, in text: Substring) -> Range<Substring.Index>? {
        guard let first = sign.first else { return nil }
        var place = text.startIndex
        while let start = text[place...].firstIndex(of: first) {
            if text[start...].hasPrefix(sign) { return start..<text.index(start, offsetBy: sign.count) }
            place = text.index(after: start)
        }
        return nil
    }
}

extension Template: Codable {
    package init(from decoder: any Decoder) throws { try self.init(decoder.singleValueContainer().decode(String.self)) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(source)
    }
}

extension Template {
    /// Replaces `\r`, `\n`, `\t` and `\\` in a shell's argument by the characters they name.
    package static func unescaped(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            switch (isEscaped, character) {
            case (false, "\\"): isEscaped = true
            case (false, _): result.append(character)
            case (true, _):
                let meant: Character? = ["r": "\r", "n": "\n", "t": "\t", "\\": "\\"][character]
                if meant == nil { result.append("\\") }
                result.append(meant ?? character)
                isEscaped = false
            }
        }
        return isEscaped ? result + "\\" : result
    }
}
