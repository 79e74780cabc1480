/// Reads the list of a `Sec-WebSocket-Extensions` field by the grammar of RFC 6455 §9.1.
///
/// White space is allowed around every separator, including "=", because RFC 6455 §4.3 adopts RFC 2616's implied white
/// space. Empty elements are allowed, as in every list (RFC 9110 §5.6.1.2).
struct ExtensionListParser {
    /// Clients offer one to three; a limit, so that a head full of offers costs no more than its bytes.
    static let maximumExtensions = 16
    /// permessage-deflate has four.
    static let maximumParameters = 16

    private let bytes: [UInt8]
    private var index = 0

    private init(_ field: String) { bytes = Array(field.utf8) }

    /// The extensions of all field lines, in order; several lines are one list (RFC 6455 §9.1).
    ///
    /// - Parameter fields: the value of each line; empty without the header.
    static func extensions(in fields: [String]) throws(ExtensionListViolation) -> [WebSocketExtension] {
        var extensions: [WebSocketExtension] = []
        for field in fields {
            var parser = ExtensionListParser(field)
            while let element = try parser.next() {
                guard extensions.count < maximumExtensions else { throw .tooMany }
                extensions.append(element)
            }
        }
        // The grammar requires at least one element, so a header without one is malformed.
        guard fields.isEmpty || !extensions.isEmpty else { throw .malformed }
        return extensions
    }

    /// `extension-token *( ";" extension-param )`, or nil at the end.
    private mutating func next() throws(ExtensionListViolation) -> WebSocketExtension? {
        skipSpace()
        while take(",") { skipSpace() }
        guard index < bytes.count else { return nil }
        let name = try token()
        var parameters: [WebSocketExtension.Parameter] = []
        skipSpace()
        while take(";") {
            guard parameters.count < Self.maximumParameters else { throw .tooMany }
            parameters.append(try parameter())
            skipSpace()
        }
        guard index == bytes.count || bytes[index] == UInt8(ascii: ",") else { throw .malformed }
        return WebSocketExtension(name: name, parameters: parameters)
    }

    /// `token [ "=" ( token / quoted-string ) ]`
    private mutating func parameter() throws(ExtensionListViolation) -> WebSocketExtension.Parameter {
        skipSpace()
        let name = try token()
        skipSpace()
        guard take("=") else { return WebSocketExtension.Parameter(name: name, value: nil) }
        skipSpace()
        let value = take("\"") ? try quotedToken() : try token()
        return WebSocketExtension.Parameter(name: name, value: value)
    }

    private mutating func token() throws(ExtensionListViolation) -> String {
        let token = bytes[index...].prefix(while: \.isTokenCharacter)
        guard !token.isEmpty else { throw .malformed }
        index = token.endIndex
        return String(decoding: token, as: UTF8.self)
    }

    /// The rest of a quoted string; its content without escapes must be a token.
    private mutating func quotedToken() throws(ExtensionListViolation) -> String {
        var content: [UInt8] = []
        while index < bytes.count {
            if take("\"") {
                guard content.isToken else { throw .malformed }
                return String(decoding: content, as: UTF8.self)
            }
            if take("\\"), index == bytes.count { break }
            content.append(bytes[index])
            index += 1
        }
        throw .malformed
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index].isSpaceOrTab { index += 1 }
    }

    private mutating func take(_ letter: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: letter) else { return false }
        index += 1
        return true
    }
}
