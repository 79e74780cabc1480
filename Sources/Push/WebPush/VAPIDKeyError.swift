/// Why a file holds no VAPID key.
package enum VAPIDKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    case noKey, notP256

    package var description: String {
        switch self {
        case .noKey: "expected a private key in PEM form"
        case .notP256: "expected a private key on the curve P-256"
        }
    }
}
