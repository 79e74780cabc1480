import CCurl

/// Sets options on a handle of libcurl and remembers the first failure.
struct CurlOptions {
    private let easy: UnsafeMutableRawPointer
    var code = CURLE_OK

    init(_ easy: UnsafeMutableRawPointer) { self.easy = easy }

    mutating func set(_ option: CURLoption, _ value: Int) { note(belfry_curl_set_long(easy, option, value)) }

    /// libcurl copies the text.
    mutating func set(_ option: CURLoption, _ value: String) { note(belfry_curl_set_string(easy, option, value)) }

    mutating func set(_ option: CURLoption, _ callback: belfry_curl_data_callback) {
        note(belfry_curl_set_data_callback(easy, option, callback))
    }

    mutating func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer) {
        note(belfry_curl_set_pointer(easy, option, pointer))
    }

    /// libcurl copies the bytes.
    mutating func setBody(_ body: [UInt8]) {
        note(belfry_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        body.withUnsafeBytes { bytes in
            // Without an address libcurl would ask a callback for the body.
            if let start = bytes.baseAddress, !bytes.isEmpty {
                note(belfry_curl_set_body(easy, start))
            } else {
                note(belfry_curl_set_string(easy, CURLOPT_COPYPOSTFIELDS, ""))
            }
        }
    }

    /// The list must live until the transfer ends.
    mutating func setHeaders(_ list: UnsafeMutablePointer<curl_slist>?) {
        note(belfry_curl_set_list(easy, CURLOPT_HTTPHEADER, list))
    }

    private mutating func note(_ code: CURLcode) {
        if self.code == CURLE_OK { self.code = code }
    }
}
