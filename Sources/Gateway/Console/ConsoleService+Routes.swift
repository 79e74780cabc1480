import JSON
import Transport
import WireProtocol

/// The endpoints of the console, beside those of the Unix socket.
extension ConsoleService {
    private static let page = "index.html"

    static let routes: [Route<Handler>] =
        (calls
        + [Route("GET", "/console", query: .any(), gives: .file, .file(page))]
        + allFiles.filter { $0.name != page }.map {
            Route("GET", "/console/\($0.name)", query: .any(), gives: .file, .file($0.name))
        }).map { $0.giving(403) }

    private static let calls: [Route<Handler>] = [
        Route("GET", "/console/who", gives: .json, .who),
        Route("POST", "/console/login", takes: .json, gives: .nothing, .login),
        Route("POST", "/console/logout", gives: .nothing, .logout),
        Route(
            "GET", ConsoleSignIn.loginPath, query: .any(), gives: .elsewhere.or(404), .signIn),
        Route(
            "GET", ConsoleSignIn.callbackPath, query: .any(knowing: ["state", "code", "iss", "error"]),
            gives: .elsewhere.or(404), .signedIn),
        Route("GET", "/console/live", gives: .init([101: .nothing]).or(426), .live),
        Route(
            "GET", "/console/history", gives: .json,
            .call { call in
                call.reply.send(HTTPResponse.object { call.meter.writeHistory(to: &$0) }.gzipped(for: call))
            }),
        Route("GET", "/console/nodes", gives: .json, .call { call in call.figures.nodes(call.reply) }),
        Route("GET", "/console/drain", gives: .json, .call { call in call.figures.drain(call.reply) }),
        Route("GET", "/console/quality", gives: .json, .call { call in call.figures.quality(call.reply) }),
        Route("GET", "/console/failures", gives: .json, .call { call in call.failures.list(call.reply) }),
        Route(
            "POST", "/console/failures/{push}/retry", gives: .json.or(404, 409),
            .call { call throws(Problem) in try call.failures.retry(call.parameters[0], call.reply) }),
        Route("GET", "/console/catalogs", gives: .json, .call { call in call.catalogs.list(call.reply) }),
        Route(
            "POST", "/console/render", query: ["app"], takes: .json, gives: .json.or(422),
            .call { call throws(Problem) in try call.catalogs.render(call) }),
        Route(
            "GET", "/console/audit", query: ["limit"], gives: .json,
            .call { call throws(Problem) in
                let limit = try call.query.limit(usually: 100, atMost: 1_000)
                call.audit.read(limit) { lines in
                    call.reply.send(
                        .object { json in
                            json.key("entries")
                            json.array { json in for line in lines.reversed() { json.raw(line) } }
                        })
                }
            }),
    ]
}

extension HTTPResponse {
    /// The same with a compressed body, if the caller takes one.
    fileprivate func gzipped(for call: ConsoleCall) -> HTTPResponse {
        guard call.request.head.headers.acceptGzip, let compressed = HTTPContentCoding.gzip(body) else { return self }
        var response = adding("Content-Encoding", "gzip")
        response.body = compressed
        return response
    }
}
