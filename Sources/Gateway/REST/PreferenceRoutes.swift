import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// A person's choices about what comes and when: preferences, mutes, quiet hours and the snooze.
struct PreferenceRoutes {
    /// The part of the settings that an answer shows.
    private enum View: Sendable {
        case preferences(PreferenceList)
        case mutes, quiet

        func write(_ settings: UserSettings, to json: inout JSONWriter) {
            json.object { json in
                json.member("rev", settings.revision)
                switch self {
                case .preferences(let list): list.write(settings, to: &json)
                case .mutes: json.member("mutes", settings.mutesJSON)
                case .quiet:
                    json.member("quietHours", settings.json.at(["quietHours"]) ?? .null)
                    json.member("snooze", settings.json.at(["snooze"]) ?? .null)
                }
            }
        }
    }

    let node: Node
    let user: UserID

    func show(_ request: HTTPRequest, _ reply: HTTPReply) { show(preferences(request), reply) }

    func choose(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let edits = try Self.read(request.body) { json throws(PreferenceProblem) in try PreferenceEdits(json) }
        try Self.checked { () throws(PreferenceProblem) in try edits.check(node.catalogs(of: user.app).catalogs) }
        change(.preferences(edits), preferences(request), reply)
    }

    func mutes(_ reply: HTTPReply) { show(.mutes, reply) }

    func mute(_ subject: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let subject = try Self.subject(subject)
        let now = node.now()
        let known = SubjectKinds(of: node.catalogs(of: user.app).catalogs)
        let body = request.body.isEmpty ? Array("{}".utf8) : request.body
        let mute = try Self.read(body) { json throws(PreferenceProblem) in
            try SettingsChange.mute(subject, json, at: now, known: known)
        }
        change(mute, .mutes, reply)
    }

    func unmute(_ subject: String, _ reply: HTTPReply) throws(Problem) {
        change(.unmute(ExactText(try Self.subject(subject))), .mutes, reply)
    }

    func quietHours(_ reply: HTTPReply) { show(.quiet, reply) }

    func setQuietHours(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let hours = try Self.read(request.body) { json throws(PreferenceProblem) in try QuietHours(json) }
        change(.quietHours(hours), .quiet, reply)
    }

    func endQuietHours(_ reply: HTTPReply) { change(.quietHours(nil), .quiet, reply) }

    func snooze(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let now = node.now()
        let snooze = try Self.read(request.body) { json throws(PreferenceProblem) in
            try SettingsChange.snooze(json, at: now)
        }
        change(snooze, .quiet, reply)
    }

    func endSnooze(_ reply: HTTPReply) { change(.snooze(until: nil), .quiet, reply) }

    // MARK: The store

    private func show(_ view: View, _ reply: HTTPReply) {
        node.store.settings(of: user, completion: reply.answer { Self.response($0, view) })
    }

    private func change(_ change: SettingsChange, _ view: View, _ reply: HTTPReply) {
        let completion = reply.answer(settled: { Self.response($0, view) })
        node.store.change(change, for: user, at: node.now(), completion: completion)
    }

    private static func response(_ settings: UserSettings, _ view: View) -> HTTPResponse {
        .data { view.write(settings, to: &$0) }
    }

    // MARK: Requests

    private func preferences(_ request: HTTPRequest) -> View {
        .preferences(
            PreferenceList(
                catalogs: node.catalogs(of: user.app).catalogs, languages: LanguageRanges(request.head.headers)))
    }

    private static func subject(_ subject: String) throws(Problem) -> String {
        guard UserSettings.isSubject(subject) else {
            throw .parameter("expected \(UserSettings.subjectForm) in the path")
        }
        return subject
    }

    private static func read<Value>(
        _ bytes: [UInt8], _ body: (JSONValue) throws(PreferenceProblem) -> Value
    ) throws(Problem) -> Value {
        let json = try JSONBody.parse(bytes)
        return try checked { () throws(PreferenceProblem) in try body(json) }
    }

    static func checked<Value>(_ body: () throws(PreferenceProblem) -> Value) throws(Problem) -> Value {
        do throws(PreferenceProblem) { return try body() } catch { throw Problem(error) }
    }
}

extension HTTPReply {
    /// The completion of a change of settings: a refused one is a problem.
    func answer(
        settled response: @escaping @Sendable (UserSettings) -> HTTPResponse
    ) -> @Sendable (Result<SettingsOutcome, StoreError>) -> Void {
        answer { outcome in
            switch outcome {
            case .refused(let problem): Problem(problem).response
            case .settled(let settings): response(settings)
            }
        }
    }
}

extension Problem {
    init(_ problem: PreferenceProblem) {
        self.init(status: 422, code: problem.code, detail: problem.message, pointer: problem.pointer)
    }
}
