/// One request under way, and its response so far. Confined to its client's shard.
final class HTTP2Exchange {
    /// How the stream has ended.
    enum Ending {
        case answered
        /// The server has not processed the request.
        case unprocessed
        case tooLarge
        /// - Parameter code: an error code of RFC 9113 §7.
        case reset(code: UInt32)
    }

    let batch: HTTP2Batch
    /// Tells the batches of one client apart.
    let batchNumber: Int?
    /// The index of the request in the batch.
    let index: Int
    /// The range of the request's body in the batch's bytes.
    private let requestBody: Range<Int>
    private let wantsHeadersOfSuccess: Bool
    /// The request's number in the pool.
    var ticket = 0
    /// Nil while the request has no stream.
    var stream: Int32?
    var ending: Ending?
    /// The number of sent bytes of the request's body.
    var sentBytes = 0

    private var status = 0
    private var headers: [(name: String, value: String)] = []
    private var body: [UInt8] = []
    private var receivedBytes = 0
    /// The response has begun: further headers are trailers.
    private var isHeaderComplete = false
    var isComplete = false
    /// The library never sent the request.
    var wasUnsent = false
    var isTooLarge = false

    init(_ batch: HTTP2Batch, _ index: Int, batchNumber: Int? = nil) {
        self.batch = batch
        self.batchNumber = batchNumber
        self.index = index
        requestBody = batch.requests.requests[index].body
        wantsHeadersOfSuccess = batch.requests.wantsHeadersOfSuccess
    }

    var hasBody: Bool { !requestBody.isEmpty }

    func complete(_ result: Result<HTTPClientResponse, HTTPClientError>) { batch.completion(index, result) }

    /// Gives the request another stream, and starts over.
    func begin(stream: Int32) {
        self.stream = stream
        ending = nil
        sentBytes = 0
        (status, headers, body, receivedBytes) = (0, [], [], 0)
        (isHeaderComplete, isComplete, wasUnsent, isTooLarge) = (false, false, false, false)
    }

    /// The result for the caller; nil before the end, or if the request is to be sent again.
    var result: Result<HTTPClientResponse, HTTPClientError>? {
        switch ending {
        case .answered: .success(HTTPClientResponse(status: status, headers: headers, body: body))
        case .tooLarge: .failure(.tooLarge)
        case .reset(let code): .failure(.transport(code: Int(code), message: "stream reset"))
        case .unprocessed, nil: nil
        }
    }

    /// Whether a response came, even one that was too large to keep.
    var wasAnswered: Bool {
        switch ending {
        case .answered, .tooLarge: true
        case .unprocessed, .reset, nil: false
        }
    }

    /// Copies the next part of the request's body; returns its size, and whether it was the last.
    func readBody(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool) {
        let start = requestBody.lowerBound + sentBytes
        let count = min(buffer.count, requestBody.upperBound - start)
        batch.requests.bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[start..<start + count])) }
        sentBytes += count
        return (count, sentBytes == requestBody.count)
    }

    // MARK: Response

    func headersBegin() {
        // An interim response precedes the real one (RFC 9110 §15.2).
        guard !isHeaderComplete else { return }
        (status, headers) = (0, [])
    }

    func headersEnd() { isHeaderComplete = status >= 200 }

    /// False if the response is longer than allowed.
    func receive(
        header name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, maximumBytes: Int
    ) -> Bool {
        guard count(name.count + value.count, maximumBytes) else { return false }
        // Trailers, and headers that the caller does not want.
        if isHeaderComplete || !wantsHeadersOfSuccess && (200..<300).contains(status) { return true }
        if name.first == UInt8(ascii: ":") {
            // The library has checked that the status is three digits and occurs once.
            status = value.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        } else {
            headers.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        return true
    }

    /// False if the response is longer than allowed.
    func receive(body part: UnsafeBufferPointer<UInt8>, maximumBytes: Int) -> Bool {
        guard count(part.count, maximumBytes) else { return false }
        body.append(contentsOf: part)
        return true
    }

    private func count(_ bytes: Int, _ maximumBytes: Int) -> Bool {
        receivedBytes += bytes
        if receivedBytes > maximumBytes { isTooLarge = true }
        return !isTooLarge
    }
}
