/// An ``HTTP2Client`` on its shard: finds the origin of each request.
final class HTTP2ClientCore {
    let settings: HTTP2ClientSettings
    let tls: TLSClientContext
    let inlet: HTTP2Inlet
    private var origins: [String: HTTP2Origin] = [:]
    /// Kept because most requests go to the origin of the one before.
    private var lastOrigin: HTTP2Origin?
    private var check = HTTP2RequestCheck()
    /// The number of batches so far.
    private var batches = 0

    init(_ settings: HTTP2ClientSettings, tls: TLSClientContext, inlet: HTTP2Inlet) {
        self.settings = settings
        self.tls = tls
        self.inlet = inlet
    }

    func takeRequests(_ on: borrowing OnShard) {
        var touched: [HTTP2Origin] = []
        for batch in inlet.takeBatches() {
            guard let origin = enter(batch, on) else { continue }
            if !touched.contains(where: { $0 === origin }) { touched.append(origin) }
        }
        for origin in touched { origin.settle(on) }
    }

    private func enter(_ batch: HTTP2Batch, _ on: borrowing OnShard) -> HTTP2Origin? {
        guard check.admits(batch.requests.method), let url = HTTP2URL(batch.requests.origin), url.path == "/",
            let origin = knownOrigin(of: url.authority) ?? HTTP2Authority(url.authority).map(newOrigin)
        else {
            batch.fail(Self.malformed)
            return nil
        }
        guard origins.count <= settings.origins else {
            forget(origin)
            batch.fail(.overloaded)
            return nil
        }
        batches += 1
        for index in 0..<batch.requests.count {
            if check.admits(batch.requests, index) {
                origin.enter(HTTP2Exchange(batch, index, batchNumber: batches), deadline: batch.deadline, on)
            } else {
                batch.completion(index, .failure(Self.malformed))
            }
        }
        return origin
    }

    private static let malformed = HTTPClientError.transport(code: 0, message: "malformed request")

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

    /// Takes the looked-up addresses of an origin's server.
    func found(
        _ addresses: Result<[HTTP2Address], SystemCallError>, for key: HTTP2Pool.ConnectionKey, of authority: String,
        _ on: borrowing OnShard
    ) {
        origins[authority]?.found(addresses, for: key, on)
    }

    /// Removes an origin without state, so that origins used once do not stay for good.
    func forget(_ origin: HTTP2Origin) {
        if origins[origin.authority.text] === origin { origins[origin.authority.text] = nil }
        if lastOrigin === origin { lastOrigin = nil }
    }

    /// Ends all requests, and says goodbye on all connections; the shard closes them.
    func close(_ on: borrowing OnShard) {
        for batch in inlet.takeBatches() { batch.fail(.closed) }
        for origin in origins.values { origin.close(on) }
        origins = [:]
        lastOrigin = nil
    }
}
