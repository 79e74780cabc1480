import Foundation

/// The addresses of a server, made from the app's URL.
struct ServerAddress {
    /// The base of its HTTP addresses, without a slash at the end.
    let base: URL
    /// The address of the live protocol.
    let live: URL

    /// Nil unless the URL is `wss://…` or `https://…` (or without TLS), with or without `/v1/live`.
    init?(_ url: URL) {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.host?.isEmpty == false,
            let scheme = parts.scheme?.lowercased(), ["ws", "wss", "http", "https"].contains(scheme)
        else { return nil }
        let isSecure = scheme == "wss" || scheme == "https"
        var path = parts.percentEncodedPath
        for ending in ["/", "/v1/live", "/"] where path.hasSuffix(ending) { path.removeLast(ending.count) }
        (parts.scheme, parts.percentEncodedPath) = (isSecure ? "https" : "http", path)
        (parts.query, parts.fragment) = (nil, nil)
        guard let base = parts.url else { return nil }
        (parts.scheme, parts.percentEncodedPath) = (isSecure ? "wss" : "ws", path + "/v1/live")
        guard let live = parts.url else { return nil }
        (self.base, self.live) = (base, live)
    }

    /// - Parameter path: escaped, with the query.
    func url(_ path: String) -> URL { URL(string: base.absoluteString + path) ?? base }
}

extension HTTPCall {
    init(_ call: RESTCall, at address: ServerAddress, token: String) {
        method = call.method
        url = address.url(call.path)
        body = call.body.map { Data($0.text.utf8) }
        var headers = ["Authorization": "Bearer " + token]
        headers["If-None-Match"] = call.etag
        if body != nil { headers["Content-Type"] = "application/json" }
        self.headers = headers
    }
}
