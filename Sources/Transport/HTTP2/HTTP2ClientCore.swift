/// An ``HTTP2Client`` on its shard: finds each request's origin.
final class HTTP2ClientCore {
    let settings: HTTP2ClientSettings
    let tls: TLSClientContext
    let inlet: HTTP2Inlet
    private var origins: [String: HTTP2Origin] = [:]
    /// Most requests go where the one before went.
    private var lastOrigin: HTTP2Origin?
    private var check = HTTP2RequestCheck()

    init(_ settings: HTTP2ClientSettings, tls: TLSClientContext, inlet: HTTP2Inlet) {
        self.settings = settings
        self.tls = tls
        self.inlet = inlet
    }

    func takeRequests(_ on: borrowing OnShard) {
        var touched: [HTTP2Origin] = []
        for request in inlet.takeRequests() {
            guard let origin = enter(request, on) else { continue }
            if !touched.contains(where: { $0 === origin }) { touched.append(origin) }
        }
        for origin in touched { origin.settle(on) }
    }

    private func enter(_ arrived: HTTP2Inlet.Request, _ on: borrowing OnShard) -> HTTP2Origin? {
        guard check.admits(arrived.request), let url = HTTP2URL(arrived.request.url),
            let origin = knownOrigin(of: url.authority) ?? HTTP2Authority(url.authority).map(newOrigin)
        else {
            arrived.completion(.failure(.transport(code: 0, message: "malformed request")))
            return nil
        }
        guard origins.count <= settings.origins else {
            forget(origin)
            arrived.completion(.failure(.overloaded))
            return nil
        }
        let exchange = HTTP2Exchange(arrived.request, path: url.path, completion: arrived.completion)
        origin.enter(exchange, deadline: arrived.deadline, on)
        return origin
    }

    private func knownOrigin(of text: Substring) -> HTTP2Origin? {
        if let lastOrigin, lastOrigin.authority.text == text { return lastOrigin }
        guard let origin = origins[String(text)] else { return nil }
        lastOrigin = origin
        return origin
    }

    private func newOrigin(_ authority: HTTP2Authority) -> HTTP2Origin {
        let origin = HTTP2Origin(authority, core: self)
        origins[authority.text] = origin
        return origin
    }

    /// The addresses of an origin's server have been looked up.
    func found(
        _ addresses: Result<[HTTP2Address], SystemCallError>, for key: HTTP2Pool.ConnectionKey, of authority: String,
        _ on: borrowing OnShard
    ) {
        origins[authority]?.found(addresses, for: key, on)
    }

    /// An origin has nothing to remember: those that are used once should not stay for good.
    func forget(_ origin: HTTP2Origin) {
        if origins[origin.authority.text] === origin { origins[origin.authority.text] = nil }
        if lastOrigin === origin { lastOrigin = nil }
    }

    /// Ends all requests, and says goodbye on all connections; the shard closes them.
    func close(_ on: borrowing OnShard) {
        for request in inlet.takeRequests() { request.completion(.failure(.closed)) }
        for origin in origins.values { origin.close(on) }
        origins = [:]
        lastOrigin = nil
    }
}
