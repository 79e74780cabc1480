extension JSONValue {
    /// Deeper documents are refused, because reading is recursive; no real event is that deep.
    package static let maximumDepth = 64

    /// Reads one whole document (RFC 8259); anything behind it is an error.
    package init(parsing bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        self = try JSONNode(parsing: bytes).value
    }

    package init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        // `withUnsafeBytes` has untyped errors, so the error is returned as a value.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes) }
        }
        self = try result.get()
    }

    /// Reads a document that must have one meaning: a repeated member, at any depth, is refused (RFC 7515 §4, RFC 7517
    /// §4, RFC 7519 §4).
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
