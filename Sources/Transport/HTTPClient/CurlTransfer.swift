import CCurl
import COpenSSL
import Glibc

/// One request in libcurl, and its response so far. Confined to its client's queue.
final class CurlTransfer {
    typealias Completion = @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void

    /// Borrowed from the client, which keeps handles for later transfers.
    let easy: UnsafeMutableRawPointer
    let start: ContinuousClock.Instant
    let completion: Completion
    private let maximumBytes: Int
    private var requestHeaders: UnsafeMutablePointer<curl_slist>?
    private var responseHeaders: [(name: String, value: String)] = []
    private var responseHeaderBytes = 0
    private var body: [UInt8] = []
    private var isTooLarge = false

    init(
        easy: UnsafeMutableRawPointer, start: ContinuousClock.Instant, maximumBytes: Int,
        completion: @escaping Completion
    ) {
        self.easy = easy
        self.start = start
        self.maximumBytes = maximumBytes
        self.completion = completion
    }

    deinit { curl_slist_free_all(requestHeaders) }

    /// The result for the caller when libcurl ends with `code`.
    func result(_ code: CURLcode) -> Result<HTTPClientResponse, HTTPClientError> {
        if isTooLarge { return .failure(.tooLarge) }
        switch code {
        case CURLE_OK:
            return .success(
                HTTPClientResponse(status: number(CURLINFO_RESPONSE_CODE), headers: responseHeaders, body: body))
        case CURLE_PARTIAL_FILE:
            return .failure(.cutShort(body: body))
        // The system reports a lost connection.
        case CURLE_RECV_ERROR where !body.isEmpty:
            return .failure(.cutShort(body: body))
        case CURLE_OPERATION_TIMEDOUT:
            return .failure(.timedOut)
        default:
            return .failure(.transport(code: Int(code.rawValue), message: words(for: code)))
        }
    }

    /// The general words for the code, with details of the system or TLS. The handle's own error text may name the
    /// address, so it is not used.
    private func words(for code: CURLcode) -> String {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return HTTPClientError.noConnection + "the host's name cannot be resolved"
        case CURLE_COULDNT_CONNECT where number(CURLINFO_OS_ERRNO) != 0:
            return HTTPClientError.noConnection + String(cString: strerror(Int32(clamping: number(CURLINFO_OS_ERRNO))))
        case CURLE_PEER_FAILED_VERIFICATION:
            let problem = number(CURLINFO_SSL_VERIFYRESULT)
            let reason = problem == 0 ? nil : X509_verify_cert_error_string(problem).map { String(cString: $0) }
            return HTTPClientError.noConnection + "certificate not trusted" + (reason.map { ": \($0)" } ?? "")
        default:
            return String(cString: curl_easy_strerror(code))
        }
    }

    /// A number that libcurl knows about the transfer; 0 for none.
    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        belfry_curl_get_long(easy, info, &value)
        return value
    }

    // MARK: Request

    /// Gives libcurl the request.
    ///
    /// - Parameter remaining: the time until the deadline.
    func prepare(_ request: HTTPClientRequest, remaining: Duration, caFile: String?) -> CURLcode {
        guard Self.isToken(request.method), request.headers.allSatisfy(Self.isSendable) else {
            return CURLE_BAD_FUNCTION_ARGUMENT
        }
        var options = CurlOptions(easy)
        options.set(CURLOPT_URL, request.url)
        options.set(CURLOPT_PROTOCOLS_STR, "http,https")
        options.set(CURLOPT_PATH_AS_IS, 1)
        options.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // Waits for a connection to tell whether it takes many streams, before another one opens. Without encryption only
        // the first answer tells, and each request has a connection of its own.
        options.set(CURLOPT_PIPEWAIT, request.url.hasPrefix("https:") ? 1 : 0)
        options.set(CURLOPT_NOSIGNAL, 1)
        // A proxy comes from the settings only, never from the environment.
        options.set(CURLOPT_PROXY, "")
        options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let caFile { options.set(CURLOPT_CAINFO, caFile) }
        if let socketPath = request.socketPath { options.set(CURLOPT_UNIX_SOCKET_PATH, socketPath) }
        options.set(CURLOPT_TIMEOUT_MS, max(Int(remaining / .milliseconds(1)), 1))
        // The kernel detects idle peers that are gone; a connection that was idle for ten minutes is not used again.
        options.set(CURLOPT_TCP_KEEPALIVE, 1)
        options.set(CURLOPT_TCP_KEEPIDLE, 30)
        options.set(CURLOPT_TCP_KEEPINTVL, 10)
        options.set(CURLOPT_MAXAGE_CONN, 600)
        setMethod(request, &options)
        setHeaders(request, &options)
        setCallbacks(&options)
        return options.code
    }

    private func setMethod(_ request: HTTPClientRequest, _ options: inout CurlOptions) {
        switch request.method {
        case "GET" where request.body.isEmpty:
            options.set(CURLOPT_HTTPGET, 1)
        case "HEAD" where request.body.isEmpty:
            options.set(CURLOPT_NOBODY, 1)
        case "DELETE" where request.body.isEmpty:
            options.set(CURLOPT_HTTPGET, 1)
            options.set(CURLOPT_CUSTOMREQUEST, request.method)
        default:
            options.set(CURLOPT_POST, 1)
            options.setBody(request.body)
            options.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private func setHeaders(_ request: HTTPClientRequest, _ options: inout CurlOptions) {
        // A name alone removes the header that libcurl would add.
        var lines = ["accept:", "content-type:", "expect:"].filter { line in
            !request.headers.contains { $0.0.lowercased() + ":" == line }
        }
        // libcurl writes a header without a value with a semicolon.
        lines += request.headers.map { $0.1.isEmpty ? $0.0 + ";" : $0.0 + ": " + $0.1 }
        for line in lines {
            guard let list = curl_slist_append(requestHeaders, line) else {
                options.code = CURLE_OUT_OF_MEMORY
                return
            }
            requestHeaders = list
        }
        options.setHeaders(requestHeaders)
    }

    private func setCallbacks(_ options: inout CurlOptions) {
        // The client keeps this transfer while libcurl has the handle.
        let this = Unmanaged.passUnretained(self).toOpaque()
        options.set(CURLOPT_WRITEFUNCTION, Self.receiveBody)
        options.set(CURLOPT_WRITEDATA, pointer: this)
        options.set(CURLOPT_HEADERFUNCTION, Self.receiveHeader)
        options.set(CURLOPT_HEADERDATA, pointer: this)
    }

    /// Whether all octets are letters, digits or dashes: the methods and header names here need no others.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D }
    }

    /// A line break in a value would begin another header.
    private static func isSendable(_ header: (String, String)) -> Bool {
        isToken(header.0) && header.1.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    // MARK: Response

    private static let receiveBody: belfry_curl_data_callback = { bytes, size, count, context in
        guard let context, let bytes else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private static let receiveHeader: belfry_curl_data_callback = { bytes, size, count, context in
        guard let context, let bytes else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.append(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    /// Returns the number of bytes taken; a smaller number than given ends the transfer.
    private func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard body.count + bytes.count <= maximumBytes else {
            isTooLarge = true
            return 0
        }
        body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Takes one whole line from libcurl: a status line or a header.
    private func append(line bytes: UnsafeRawBufferPointer) -> Int {
        responseHeaderBytes += bytes.count
        guard responseHeaderBytes <= maximumBytes else {
            isTooLarge = true
            return 0
        }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // Earlier headers belong to an interim response (RFC 9110 §15.2).
            responseHeaders = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
            let end = value.lastIndex { !$0.isWhitespace }.map(value.index(after:)) ?? value.startIndex
            responseHeaders.append((line[..<colon].lowercased(), String(value[..<end])))
        }
        return bytes.count
    }
}
