/// The error of every call of this client.
///
/// A value: it may go to any actor.
public struct BelfryError: Error, Sendable, Hashable {
    /// Stable. One of: a code of the server's problems and error frames, `network` without an answer, `no_token` if the
    /// app's closure threw, or the reason why the client has stopped, such as `closed`.
    public let code: String
    /// For a log, never for people. Holds neither a token nor a notification's text.
    public let message: String
    /// Whether the same call may succeed later.
    public let isTemporary: Bool

    /// - Parameters:
    ///   - code: stable.
    ///   - message: for a log; nil uses the code.
    ///   - isTemporary: whether the same call may succeed later.
    public init(code: String, message: String? = nil, isTemporary: Bool = false) {
        self.code = code
        self.message = message ?? code
        self.isTemporary = isTemporary
    }

    /// The error of a client that has stopped.
    init(_ reason: StopReason) { self.init(code: reason.rawValue) }

    package static func network(_ message: String) -> BelfryError {
        BelfryError(code: "network", message: message, isTemporary: true)
    }
}
