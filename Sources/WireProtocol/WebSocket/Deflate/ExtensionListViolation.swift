/// Why a `Sec-WebSocket-Extensions` field is refused.
package enum ExtensionListViolation: Error, Sendable, Hashable, CaseIterable {
    /// The field breaks the grammar of RFC 6455 §9.1.
    case malformed
    /// The field names more extensions, or more parameters of one, than are read.
    case tooMany

    /// For the peer's developer.
    package var reason: String {
        switch self {
        case .malformed: "Sec-WebSocket-Extensions is not a list of extensions"
        case .tooMany: "Sec-WebSocket-Extensions names too many extensions or parameters"
        }
    }
}
