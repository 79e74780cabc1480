/// Requests to one server that leave together. Their texts share one piece of memory, and equal texts lie there once. A
/// large batch thus costs neither an object nor a look at each header for every request.
///
/// The memory lives as long as the last request: one that waits for its answer or its timeout keeps the texts of all.
/// Large requests should therefore be sent in small batches.
///
/// Each request is written from its path to its body:
///
/// ```swift
/// var batch = HTTPRequestBatch(method: "POST", origin: "https://api.push.apple.com", timeout: .seconds(20))
/// batch.path("/3/device/", token)
/// batch.header("apns-topic", "com.example.rooms")
/// batch.body { $0 += payload }
/// ```
package struct HTTPRequestBatch: Sendable {
    struct Field: Sendable, Equatable {
        let name: Range<Int>
        let value: Range<Int>
    }

    struct Request: Sendable {
        let path: Range<Int>
        /// The range of its fields in ``HTTPRequestBatch/fields``.
        let fields: Range<Int>
        let body: Range<Int>
    }

    package let method: String
    /// Scheme, host and port.
    package let origin: String
    /// Written before each path.
    private let basePath: String
    /// See ``HTTPClientRequest/timeout``.
    package let timeout: Duration
    /// See ``HTTPClientRequest/wantsHeadersOfSuccess``.
    package let wantsHeadersOfSuccess: Bool
    private(set) var bytes: [UInt8] = []
    private(set) var fields: [Field] = []
    private(set) var requests: [Request] = []
    /// The path of the request that is being written.
    private var path = 0..<0
    private var firstField = 0

    /// - Parameters:
    ///   - basePath: written before each path, for a server that also serves other paths.
    ///   - count: the approximate number of requests.
    package init(
        method: String, origin: String, basePath: String = "", timeout: Duration, wantsHeadersOfSuccess: Bool = true,
        expecting count: Int = 1
    ) {
        self.method = method
        self.origin = origin
        self.basePath = basePath
        self.timeout = timeout
        self.wantsHeadersOfSuccess = wantsHeadersOfSuccess
        bytes.reserveCapacity(count * Self.usualBytes)
        fields.reserveCapacity(count * Self.usualFields)
        requests.reserveCapacity(count)
    }

    private static let usualBytes = 512
    private static let usualFields = 6

    package var count: Int { requests.count }

    // MARK: Writing

    /// Begins a request. Its path is the base path, followed by the two texts.
    package mutating func path(_ start: String, _ end: String) {
        let place = bytes.count
        bytes.append(octetsOf: basePath)
        bytes.append(octetsOf: start)
        bytes.append(octetsOf: end)
        path = place..<bytes.count
        firstField = fields.count
    }

    package mutating func header(_ name: String, _ value: String) {
        // The field at the same index of the request before mostly has the same name, and often the same value.
        let known = requests.last.flatMap { last in
            let place = last.fields.lowerBound + fields.count - firstField
            return place < last.fields.upperBound ? fields[place] : nil
        }
        fields.append(Field(name: range(of: name, known: known?.name), value: range(of: value, known: known?.value)))
    }

    /// Ends the request with a body that `write` appends.
    package mutating func body(_ write: (inout [UInt8]) -> Void) {
        let place = bytes.count
        write(&bytes)
        requests.append(Request(path: path, fields: firstField..<fields.count, body: place..<bytes.count))
    }

    private mutating func range(of text: String, known: Range<Int>?) -> Range<Int> {
        if let known, bytes.holds(text, at: known) { return known }
        let place = bytes.count
        bytes.append(octetsOf: text)
        return place..<bytes.count
    }

    // MARK: Reading

    /// A request of the batch as a separate request.
    package func request(at index: Int) -> HTTPClientRequest {
        let request = requests[index]
        return HTTPClientRequest(
            method: method, url: origin + text(request.path),
            headers: fields[request.fields].map { (text($0.name), text($0.value)) },
            body: Array(bytes[request.body]), timeout: timeout, wantsHeadersOfSuccess: wantsHeadersOfSuccess)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension HTTPRequestBatch: CustomStringConvertible {
    /// Leaves out addresses, headers and bodies, because each may hold a secret.
    package var description: String { "\(count) times \(method)" }
}

extension [UInt8] {
    /// The same as `append(contentsOf: text.utf8)`, which takes the bytes one by one.
    mutating func append(octetsOf text: some StringProtocol) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { append(contentsOf: $0) }
        if isDone == nil { append(contentsOf: text.utf8) }
    }

    fileprivate func holds(_ text: String, at range: Range<Int>) -> Bool {
        withUnsafeBufferPointer { bytes in
            let place = UnsafeBufferPointer(rebasing: bytes[range])
            return text.utf8.withContiguousStorageIfAvailable { place.holdsSame(as: $0) }
                ?? place.elementsEqual(text.utf8)
        }
    }
}
