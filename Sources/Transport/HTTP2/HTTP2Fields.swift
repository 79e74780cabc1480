import CNghttp2

/// The header fields of one message in nghttp2's form. The memory is used again for the next message.
struct HTTP2Fields {
    typealias Views = UnsafeBufferPointer<nghttp2_nv>

    private struct Field {
        let nameBytes: Int
        let valueBytes: Int
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []
    private var views: [nghttp2_nv] = []

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
    }

    /// - Parameter name: in lower case.
    mutating func append(_ name: String, _ value: some StringProtocol) {
        let start = bytes.count
        bytes.append(octetsOf: name)
        let middle = bytes.count
        bytes.append(octetsOf: value)
        fields.append(Field(nameBytes: middle - start, valueBytes: bytes.count - middle))
    }

    /// The library copies the fields during the call.
    mutating func withFields(_ body: (Views) -> Void) {
        bytes.withUnsafeMutableBufferPointer { bytes in
            views.removeAll(keepingCapacity: true)
            var offset = 0
            for field in fields {
                let name = bytes.baseAddress.map { $0 + offset }
                let value = bytes.baseAddress.map { $0 + offset + field.nameBytes }
                offset += field.nameBytes + field.valueBytes
                views.append(
                    nghttp2_nv(
                        name: name, value: value, namelen: field.nameBytes, valuelen: field.valueBytes,
                        flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)))
            }
            views.withUnsafeBufferPointer(body)
        }
    }
}
