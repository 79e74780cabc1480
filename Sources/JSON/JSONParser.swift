/// Why bytes are not JSON.
package struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
    package let reason: String
    package var description: String { "invalid JSON: \(reason)" }
}

extension JSONValue {
    /// Deeper documents are refused: reading one is recursive, and nobody nests an event this deep.
    package static let maximumDepth = 64

    /// Reads one whole document (RFC 8259); anything behind it is an error.
    package init(parsing bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        self = try JSONNode(parsing: bytes).value
    }

    package init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        // `withUnsafeBytes` is untyped in what it throws, so the error takes the way out as a value.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes) }
        }
        self = try result.get()
    }

    package init(parsing text: String) throws(JSONSyntaxError) { try self.init(parsing: Array(text.utf8)) }
}
