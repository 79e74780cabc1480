/// The parameters of one permessage-deflate element (RFC 7692 §7.1), in an offer or in an answer.
struct DeflateParameters: Sendable, Hashable {
    enum Window: Sendable, Hashable {
        /// Only in an offer: the client can limit its window if the server asks for it.
        case negotiable
        /// 8...15, as a power of two.
        case bits(Int)
    }

    private(set) var serverKeepsContext = true
    private(set) var clientKeepsContext = true
    private(set) var serverWindowBits: Int?
    private(set) var clientWindow: Window?

    /// Nil if a parameter is unknown, repeated, or has a forbidden value. Such an offer must be declined, and such an
    /// answer fails the connection (RFC 7692 §7.1).
    init?(reading parameters: [WebSocketExtension.Parameter]) {
        for parameter in parameters where !take(parameter) { return nil }
    }

    private mutating func take(_ parameter: WebSocketExtension.Parameter) -> Bool {
        switch parameter.name.lowercased() {
        case "server_no_context_takeover":
            guard serverKeepsContext, parameter.value == nil else { return false }
            serverKeepsContext = false
        case "client_no_context_takeover":
            guard clientKeepsContext, parameter.value == nil else { return false }
            clientKeepsContext = false
        case "server_max_window_bits":
            guard serverWindowBits == nil, let bits = Self.windowBits(parameter.value) else { return false }
            serverWindowBits = bits
        case "client_max_window_bits":
            guard clientWindow == nil else { return false }
            if parameter.value == nil {
                clientWindow = .negotiable
            } else {
                guard let bits = Self.windowBits(parameter.value) else { return false }
                clientWindow = .bits(bits)
            }
        default: return false
        }
        return true
    }

    /// A decimal number from 8 to 15 without leading zeros (RFC 7692 §7.1.2).
    private static func windowBits(_ value: String?) -> Int? {
        (8...15).first { String($0) == value }
    }
}
