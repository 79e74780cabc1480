import Inbox
import JSON
import Storage
import Transport
import WireProtocol

/// What a person wants to be told, and when: preferences, mutes, quiet hours and the snooze.
struct PreferenceRoutes {
    enum Endpoint: Sendable {
        case preferences, writePreferences
        case mutes, mute, unmute
        case quietHours, writeQuietHours, endQuietHours
        case snooze, endSnooze
    }

    /// What an answer shows of the settings.
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

    func serve(
        _ endpoint: Endpoint, _ parameters: [String], _ request: HTTPRequest, _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        do throws(Problem) {
            switch endpoint {
            case .preferences: show(preferences(request), reply)
            case .writePreferences:
                let edits = try Self.read(request) { json throws(PreferenceProblem) in try PreferenceEdits(json) }
                try Self.checked { () throws(PreferenceProblem) in try edits.check(node.currentCatalogs.catalogs) }
                change(.preferences(edits), preferences(request), reply)
            case .mutes: show(.mutes, reply)
            case .mute:
                let subject = try Self.subject(parameters)
                let now = node.now()
                let known = SubjectKinds(of: node.currentCatalogs.catalogs)
                let body = request.body.isEmpty ? Array("{}".utf8) : request.body
                let mute = try Self.read(body) { json throws(PreferenceProblem) in
                    try SettingsChange.mute(subject, json, at: now, known: known)
                }
                change(mute, .mutes, reply)
            case .unmute: change(.unmute(ExactText(try Self.subject(parameters))), .mutes, reply)
            case .quietHours: show(.quiet, reply)
            case .writeQuietHours:
                let hours = try Self.read(request) { json throws(PreferenceProblem) in try QuietHours(json) }
                change(.quietHours(hours), .quiet, reply)
            case .endQuietHours: change(.quietHours(nil), .quiet, reply)
            case .snooze:
                let now = node.now()
                let snooze = try Self.read(request) { json throws(PreferenceProblem) in
                    try SettingsChange.snooze(json, at: now)
                }
                change(snooze, .quiet, reply)
            case .endSnooze: change(.snooze(until: nil), .quiet, reply)
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    // MARK: The store

    private func show(_ view: View, _ reply: HTTPReply) {
        node.store.settings(of: user) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let settings): reply.send(Self.response(settings, view))
            }
        }
    }

    private func change(_ change: SettingsChange, _ view: View, _ reply: HTTPReply) {
        node.store.change(change, for: user, at: node.now()) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(.refused(let problem)): reply.send(Problem(problem).response)
            case .success(.settled(let settings)): reply.send(Self.response(settings, view))
            }
        }
    }

    private static func response(_ settings: UserSettings, _ view: View) -> HTTPResponse {
        .json { json in
            json.object { json in
                json.key("data")
                view.write(settings, to: &json)
            }
        }
    }

    // MARK: Requests

    private func preferences(_ request: HTTPRequest) -> View {
        .preferences(
            PreferenceList(
                catalogs: node.currentCatalogs.catalogs, languages: LanguageRanges(request.head.headers)))
    }

    private static func subject(_ parameters: [String]) throws(Problem) -> String {
        guard let subject = parameters.first, UserSettings.isSubject(subject) else {
            throw Problem(
                status: 400, code: "invalid_parameter", detail: "expected \(UserSettings.subjectForm) in the path")
        }
        return subject
    }

    private static func read<Value>(
        _ request: HTTPRequest, _ body: (JSONValue) throws(PreferenceProblem) -> Value
    ) throws(Problem) -> Value {
        try read(request.body, body)
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

extension Problem {
    init(_ problem: PreferenceProblem) {
        self.init(status: 422, code: problem.code, detail: problem.message, pointer: problem.pointer)
    }
}
