import CNghttp2

/// Why an HTTP/2 connection cannot go on.
package struct HTTP2Failure: Error, Hashable, CustomStringConvertible {
    package let call: String
    /// The library's own words: "Out of memory", "Flooding was detected …".
    package let reason: String

    package var description: String { "\(call): \(reason)" }

    /// Throws the error of a library call, if its result is one.
    static func check(_ code: some BinaryInteger, _ call: String) throws(HTTP2Failure) {
        guard code < 0 else { return }
        throw HTTP2Failure(call: call, reason: String(cString: nghttp2_strerror(Int32(clamping: code))))
    }
}
