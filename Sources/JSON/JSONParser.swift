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

    /// Reads a document of which it must be clear what it says: one in which a member stands twice, at whatever depth,
    /// is refused (RFC 7515 §4, RFC 7517 §4, RFC 7519 §4).
    package init(parsingUnambiguous bytes: [UInt8]) throws(JSONSyntaxError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONSyntaxError) in
                let node = try JSONNode(parsing: bytes)
                guard node.repeatedPath == nil else { throw JSONSyntaxError(reason: "a member stands twice") }
                return node.value
            }
        }
        self = try result.get()
    }

    package init(parsing text: String) throws(JSONSyntaxError) { try self.init(parsing: Array(text.utf8)) }
}
