/// Why a `Sec-WebSocket-Extensions` field cannot be read.
package enum ExtensionListViolation: Error, Sendable, Hashable, CaseIterable {
    /// It breaks the grammar of RFC 6455 §9.1.
    case malformed
    /// It names more extensions, or more parameters of one, than are read.
    case tooMany

    /// For the peer's developer.
    package var reason: String {
        switch self {
        case .malformed: "Sec-WebSocket-Extensions is not a list of extensions"
        case .tooMany: "Sec-WebSocket-Extensions names too many extensions or parameters"
        }
    }
}
