import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `/v1/users/{user}/settings`: all of a person's settings, for support people and for backends that keep such settings
/// themselves.
struct SettingsAdminRoutes {
    let node: Node
    let app: AppName

    func show(_ user: String, _ reply: HTTPReply) throws(Problem) {
        node.store.settings(of: try UserID(parameter: user, in: app), completion: reply.answer { Self.response($0) })
    }

    /// Replaces all settings; `rev` is not checked.
    func replace(_ user: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let user = try UserID(newParameter: user, in: app)
        let json = try JSONBody.parse(request.body)
        let catalogs = node.catalogs(of: user.app).catalogs
        let settings = try PreferenceRoutes.checked { () throws(PreferenceProblem) in
            let settings = try UserSettings(json)
            try PreferenceEdits(settings).check(catalogs)
            return settings
        }
        let change = SettingsChange.replace(settings, known: SubjectKinds(of: catalogs))
        node.store.change(
            change, for: user, at: node.now(), completion: reply.answer(settled: { Self.response($0) }))
    }

    private static func response(_ settings: UserSettings) -> HTTPResponse {
        .json { $0.value(settings.json) }
    }
}
