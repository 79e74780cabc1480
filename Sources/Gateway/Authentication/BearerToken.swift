import Push
import WireProtocol

/// A token as a client sent it: not yet verified, and a secret.
package struct BearerToken: Sendable, Hashable {
    package let text: String

    /// A token from a frame or, where that is allowed, from the query; nil if it is empty.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// Reads `Bearer <token>` (RFC 6750 §2.1); nil for another scheme, or for anything behind the token.
    package init?(authorization value: String) {
        var value = value
        let token = value.withUTF8 { bytes -> String? in
            let scheme = bytes.drop(while: Self.isSpace).prefix { !Self.isSpace($0) }
            let token = bytes[scheme.endIndex...].drop(while: Self.isSpace).prefix { !Self.isSpace($0) }
            guard scheme.elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }),
                bytes[token.endIndex...].allSatisfy(Self.isSpace)
            else { return nil }
            return String(decoding: token, as: UTF8.self)
        }
        guard let token else { return nil }
        self.init(token)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Finds the token among the offered subprotocols: `bearer.<base64url of the token>`, or `bearer.<token>` for a
    /// token with two dots, which a JSON Web Token has and base64url cannot have.
    ///
    /// - Returns: nil if no offer begins with `bearer.`, or if the first that does is malformed.
    package init?(subprotocols: [String]) {
        guard let carried = LiveSubprotocol.bearerToken(in: subprotocols) else { return nil }
        if carried.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 {
            self.init(carried)
        } else if let bytes = Base64URL.decode(carried.utf8), let text = String(validating: bytes, as: UTF8.self) {
            self.init(text)
        } else {
            return nil
        }
    }
}

extension BearerToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "<token>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
