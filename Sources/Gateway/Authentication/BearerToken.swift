import Push
import WireProtocol

/// A token as a client presented it: not yet verified, and a secret.
package struct BearerToken: Sendable, Hashable {
    package let text: String

    /// A token that came in a frame or, where that is allowed, in the query; nil if it is empty.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
    }

    /// Reads `Bearer <token>` (RFC 6750 §2.1); nil for another scheme or anything else behind the token.
    package init?(authorization value: String) {
        let parts = value.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
        guard parts.count == 2, parts[0].elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        self.init(String(Substring(parts[1])))
    }

    /// Finds the token among the offered subprotocols: `bearer.<base64url of the token>`, or `bearer.<token>` for a
    /// token with two dots, which a JSON Web Token has and base64url cannot have.
    ///
    /// - Returns: nil if no offer begins with `bearer.` or the first that does is not well formed.
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
