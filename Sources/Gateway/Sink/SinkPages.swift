import JSON
import Push
import WireProtocol

/// A sink's answers to people and tests: the lock screens, the script, the summary, and services' own pages.
struct SinkPages {
    private let sink: Sink

    init(_ sink: Sink) { self.sink = sink }

    private static let paths: Set = ["/", "/state.json", "/summary.json", "/script"]

    /// Nil for a path that is not one of its pages.
    func reply(to request: SinkRequest) -> PushReply? {
        // Checked before the rest is read, as nearly all requests are pushes. An unreadable target is no page, either.
        guard Self.paths.contains(String(request.path.prefix { $0 != "?" })),
            let head = try? HTTPRequestHead(
                method: request.method, target: request.path, headers: [:], minorVersion: 0)
        else { return sink.page(request) }
        switch (request.method, head.path) {
        case ("GET", "/"): return Self.page
        case ("GET", "/state.json"): return Self.json(sink.screensJSON)
        case ("GET", "/summary.json"): return Self.json(sink.summary)
        case ("GET", "/script"): return script
        case ("POST", "/script"): return replaceScript(request.body)
        default: return nil
        }
    }

    /// For a path that is neither a page nor a service's.
    static let notFound = problem(404, "no push service has this path, and the sink has no such page")

    private var script: PushReply {
        var json = JSONWriter()
        sink.script.write(to: &json)
        return Self.json(json.bytes)
    }

    private func replaceScript(_ body: [UInt8]) -> PushReply {
        guard let text = String(validating: body, as: UTF8.self) else { return Self.problem(400, "not UTF-8") }
        do {
            sink.script = try SinkScript(parsing: text, seed: sink.script.seed, of: sink.providers)
            return script
        } catch {
            return Self.problem(400, error.description)
        }
    }

    static func json(_ body: [UInt8], status: Int = 200) -> PushReply {
        PushReply(
            status: status,
            headers: [
                ("content-type", "application/json"), ("cache-control", "no-store"),
                ("x-content-type-options", "nosniff"),
            ], body: body)
    }

    static func problem(_ status: Int, _ detail: String) -> PushReply {
        var json = JSONWriter()
        json.object { $0.member("error", detail) }
        return Self.json(json.bytes, status: status)
    }

    private static let page = PushReply(
        status: 200,
        headers: [
            ("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store"),
            // A push's text is a stranger's: no part of it may run or load anything.
            (
                "content-security-policy",
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ),
            ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
        ], body: Array(LockScreenPage.html.utf8))
}
