import Inbox
import JSON
import Transport
import WireProtocol

/// `POST /v1/reload` and `GET /v1/catalogs`.
struct ReloadRoutes {
    let node: Node
    let reloads: Reloads

    /// The current catalogs.
    ///
    /// - Parameter app: the only app whose catalogs the caller may see; nil for all.
    func list(of app: AppName?, _ reply: HTTPReply) {
        let catalogs = node.catalogs
        let response = HTTPResponse.object { json in
            json.key("catalogs")
            json.array { json in
                for (catalog, source) in zip(catalogs.byApp.catalogs, catalogs.sources)
                where app == nil || catalog.app == app?.text {
                    json.object { json in
                        json.member("name", catalog.name)
                        if !catalog.app.isEmpty { json.member("app", catalog.app) }
                        json.member("file", source.file)
                        json.member("events", .array(catalog.eventTypes.map(JSONValue.string)))
                        json.member("types", .array(catalog.typeNames.map(JSONValue.string)))
                    }
                }
            }
        }
        reply.send(response)
    }

    /// Answers once all files are read again.
    ///
    /// - Parameter app: the only app of whose files the caller is told; nil for all.
    func reload(of app: AppName?, _ reply: HTTPReply) throws(Problem) {
        let earlier = node.catalogs
        let isTaken = reloads.ask { [node] report in
            guard let app else { return reply.send(Self.response(report)) }
            let own = [earlier, node.catalogs].flatMap { zip($0.byApp.catalogs, $0.sources) }
                .filter { $0.0.app == app.text }
            reply.send(
                Self.response(report.limited(to: Set(own.map(\.0.name)), in: Set(own.map(\.1.file)))))
        }
        if !isTaken { throw Self.busy }
    }

    private static let busy = Problem(
        status: 503, code: "overloaded", detail: "files are being read again already; try again shortly", retryAfter: 1)

    private static func response(_ report: ReloadReport) -> HTTPResponse {
        guard !report.mistakes.isEmpty else { return .json { json in json.object { write(report, to: &$0) } } }
        // A problem with further members (RFC 9457 §3.2).
        var response = HTTPResponse.object(422) { json in
            json.member("type", "about:blank")
            json.member("title", HTTPResponse.reasonPhrase(of: 422))
            json.member("status", 422)
            json.member("code", "files_refused")
            json.member(
                "detail", report.mistakes.map(\.description.escapingControlCharacters).joined(separator: "\n"))
            write(report, to: &json)
            json.key("mistakes")
            json.array { json in for mistake in report.mistakes { write(mistake, to: &json) } }
        }
        response.headers = HTTPHeaders()
        response.headers.add("Content-Type", "application/problem+json")
        return response
    }

    private static func write(_ report: ReloadReport, to json: inout JSONWriter) {
        json.member("catalogs", .array(report.catalogs.map(JSONValue.string)))
        json.member("changed", .array(report.changed.map(JSONValue.string)))
        json.member("removed", .array(report.removed.map(JSONValue.string)))
        guard !report.warnings.isEmpty else { return }
        json.key("warnings")
        json.array { json in for warning in report.warnings { write(warning, to: &json) } }
    }

    private static func write(_ mistake: FileMistake, to json: inout JSONWriter) {
        json.object { json in
            json.member("file", mistake.file)
            if let line = mistake.line { json.member("line", line) }
            if !mistake.key.isEmpty { json.member("key", mistake.key) }
            json.member("message", mistake.message)
        }
    }
}
