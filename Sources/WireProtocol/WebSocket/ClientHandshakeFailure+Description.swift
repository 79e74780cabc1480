extension ClientHandshakeFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let status, _, _): "the server answered \(status) \(HTTPResponse.reasonPhrase(of: status))"
        case .malformed(let violation): "the server's answer is malformed: \(violation.reason)"
        case .notUpgraded, .wrongAccept: "the server's answer does not open a WebSocket"
        case .unexpectedSubprotocol: "the server chose a subprotocol that was not offered"
        case .unexpectedExtension, .badCompression: "the server chose an extension that was not offered"
        }
    }
}
