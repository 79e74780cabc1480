/// Why a client's frame was not understood; made to be sent back.
package struct ClientFrameProblem: Error, Sendable, Hashable {
    package enum Code: String, Sendable, CaseIterable {
        case invalidJSON = "invalid_json"
        case notAnObject = "not_an_object"
        case missingField = "missing_field"
        case wrongType = "wrong_type"
        case invalidValue = "invalid_value"
    }

    package let code: Code
    /// Names the field and what was expected; never quotes what was sent, which may be a token.
    package let message: String
    /// The frame's id as JSON text, if it could be read.
    package let id: String?

    /// The `error` frame to answer with; sending the same again cannot help.
    package var frame: [UInt8] { ServerFrame.error(id: id, code: code.rawValue, message: message, isTemporary: false) }
}
