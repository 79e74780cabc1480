/// Why a client's frame was refused; sent back to the client.
package struct ClientFrameProblem: Error, Sendable, Hashable {
    package let code: LiveErrorCode
    /// Names the field and the expectation; never quotes the frame, which may hold a token.
    package let message: String
    /// The frame's id as JSON text, if it could be read.
    package let id: String?
}
