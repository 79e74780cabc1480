import JSON

/// Why a template does not compile. The catalog has the mistake.
struct TemplateError: Error, Hashable {
    let message: String

    init(_ message: String) { self.message = message }
}

/// A text with Mustache's plain variables, compiled once: `{{actor}} liked your room: {{room.name}}`.
///
/// Sections, partials and comments are refused, and so are the forms without escaping. Notification text is plain text
/// and is never escaped here: the page that shows it must do that.
struct Template: Sendable, Hashable {
    private enum Segment: Sendable, Hashable {
        case text(String)
        case placeholder(Placeholder)

        func text(_ rendering: Rendering) -> String? {
            switch self {
            case .text(let part): part
            case .placeholder(let placeholder): rendering.value(of: placeholder)?.printed
            }
        }

        var isValue: Bool { if case .placeholder = self { true } else { false } }
    }

    private let segments: [Segment]
    /// Nearly all texts are no longer than this.
    private static let usualBytes = 512

    private init(_ segments: [Segment]) { self.segments = segments }

    /// A text without placeholders.
    init(plain text: String) { self.init(text.isEmpty ? [] : [.text(text)]) }

    init(_ source: String, in scope: PlaceholderScope) throws(TemplateError) {
        var segments: [Segment] = []
        var rest = source[...]
        while let open = rest.firstRange(of: "{{") {
            if open.lowerBound > rest.startIndex { segments.append(.text(String(rest[..<open.lowerBound]))) }
            let tail = rest[open.upperBound...]
            guard let close = tail.firstRange(of: "}}") else { throw Self.unclosed(tail) }
            let path = try Self.path(inBraces: tail[..<close.lowerBound])
            segments.append(.placeholder(try scope.placeholder(for: path, isText: true)))
            rest = tail[close.upperBound...]
        }
        if !rest.isEmpty { segments.append(.text(String(rest))) }
        self.init(segments)
    }

    var placeholders: [Placeholder] {
        segments.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
    }

    /// The part that looks like a placeholder and is printed as it stands, such as `{room.name}`; nil for none.
    var mistakenText: String? {
        // Most texts have none, and a regular expression is compiled each time: `belfry check` of a catalog of twelve
        // types takes 39 ms without this look and the one at numbers, and 24 ms with both.
        for case .text(let text) in segments
        where text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            if let braces = text.firstMatch(of: /\{ *[\p{L}_][\p{L}\d_.-]* *\}/) { return String(braces.0) }
            if text.contains("}}") { return "}}" }
        }
        return nil
    }

    var requirements: [Requirement] { placeholders.map { Requirement(placeholder: $0, form: .text) } }

    /// The text; nil if a value is missing.
    func text(_ rendering: Rendering) -> String? {
        // Many texts are one word or one value, which need no copy.
        if segments.count == 1 { return text(ofSegmentAt: 0, rendering) }
        // Put together outside a string: a single append to a string takes as long as all of this.
        return withUnsafeTemporaryAllocation(byteCount: Self.usualBytes, alignment: 1) { room in
            var end = 0
            for place in segments.indices {
                guard let piece = text(ofSegmentAt: place, rendering) else { return nil }
                guard Self.append(piece, to: room, at: &end) else { return careful(rendering) }
            }
            let text = UnsafeRawBufferPointer(rebasing: room[..<end])
            return text.hasDirectionControl ? careful(rendering) : String(decoding: text, as: UTF8.self)
        }
    }

    /// Returns whether the piece fitted.
    private static func append(_ piece: String, to room: UnsafeMutableRawBufferPointer, at end: inout Int) -> Bool {
        piece.withOctets { utf8 in
            guard utf8.count <= room.count - end else { return false }
            UnsafeMutableRawBufferPointer(rebasing: room[end...]).copyMemory(from: utf8)
            end += utf8.count
            return true
        }
    }

    /// The text, whatever its length. No value in it changes the direction of the text behind that value.
    private func careful(_ rendering: Rendering) -> String? {
        var text = ""
        for segment in segments {
            guard let piece = segment.text(rendering) else { return nil }
            text += segment.isValue ? piece.balancingDirections : piece
        }
        return text
    }

    private func text(ofSegmentAt place: Int, _ rendering: Rendering) -> String? { segments[place].text(rendering) }

    /// The pieces of the text around the open number; nil if a value is missing.
    func pieces(_ rendering: Rendering) -> [String]? {
        var pieces = [""]
        for segment in segments {
            switch segment {
            case .text(let part): pieces[pieces.count - 1] += part
            case .placeholder(.folded), .placeholder(.people): pieces.append("")
            case .placeholder(let placeholder):
                guard let value = rendering.value(of: placeholder)?.printed else { return nil }
                pieces[pieces.count - 1] += value.balancingDirections
            }
        }
        return pieces
    }

    // MARK: Paths

    /// Splits `room.name` into its keys.
    static func path(_ text: String) throws(TemplateError) -> [String] {
        let keys = text.split(separator: "." as Character, omittingEmptySubsequences: false).map(String.init)
        guard keys.allSatisfy(isKey) else {
            throw TemplateError("expected a path like room.name, made of letters, digits, \"_\" and \"-\"")
        }
        return keys
    }

    private static func path(inBraces text: Substring) throws(TemplateError) -> [String] {
        let path = text.drop { $0 == " " }
        switch path.first {
        case "#", "^", "/": throw TemplateError("sections are not supported: expected {{path}}")
        case ">": throw TemplateError("partials are not supported: expected {{path}}")
        case "{", "&": throw TemplateError("text is never escaped: expected {{path}}")
        case "!", "=": throw TemplateError("comments and other delimiters are not supported: expected {{path}}")
        default: break
        }
        if path.contains(where: { "{}".contains($0) }) { throw unclosed(text) }
        let end = path.lastIndex { $0 != " " }.map(path.index(after:)) ?? path.endIndex
        return try Self.path(String(path[..<end]))
    }

    /// - Parameter text: the text behind the opening braces.
    private static func unclosed(_ text: Substring) -> TemplateError {
        let name = text.prefix { !"{}".contains($0) }
        return TemplateError("\"}}\" is missing: expected \"{{\(name.isEmpty ? "path" : name)}}\"")
    }

    private static func isKey(_ key: String) -> Bool {
        !key.isEmpty
            && key.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == "-"
            }
    }
}
