import CNghttp2

/// Header fields in the form that nghttp2 takes: pointers into bytes that live as long as the call.
struct HTTP2Headers {
    private var bytes: [UInt8] = []
    private var lengths: [(name: Int, value: Int)] = []

    init(_ headers: [(name: String, value: String)]) {
        for (name, value) in headers {
            bytes.append(contentsOf: name.utf8)
            bytes.append(contentsOf: value.utf8)
            lengths.append((name.utf8.count, value.utf8.count))
        }
    }

    /// The library copies what it is shown.
    func withFields(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Void) {
        var bytes = bytes
        bytes.withUnsafeMutableBufferPointer { bytes in
            var offset = 0
            let fields = lengths.map { length in
                let name = bytes.baseAddress.map { $0 + offset }
                let value = bytes.baseAddress.map { $0 + offset + length.name }
                offset += length.name + length.value
                return nghttp2_nv(
                    name: name, value: value, namelen: length.name, valuelen: length.value,
                    flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
            }
            fields.withUnsafeBufferPointer(body)
        }
    }
}
