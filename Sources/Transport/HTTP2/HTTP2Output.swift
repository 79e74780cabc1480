import CNghttp2

/// The output of a session.
enum HTTP2Output {
    /// Appends all output that the peer's windows admit now.
    static func take(from session: OpaquePointer?, into output: inout [UInt8]) throws(HTTP2Failure) {
        while true {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &start)
            try HTTP2Failure.check(count, "send")
            guard count > 0 else { return }
            output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
    }
}
