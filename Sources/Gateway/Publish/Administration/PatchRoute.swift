import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `PATCH /v1/notifications?type=USER_FOLLOWED&user=U&actor=A` with `{"isFollowingBack": true}`: changes live fields of
/// existing notifications.
struct PatchRoute {
    let node: Node
    let app: AppName

    /// - Throws: a problem with the request; `reply` tells all later ones.
    func serve(
        _ query: HTTPQuery, by publisher: Publisher, _ request: HTTPRequest, _ reply: HTTPReply
    ) throws(Problem) {
        guard let type = query["type"] else { throw .parameter("expected type=…, the notifications' type") }
        guard let user = query["user"] else { throw .parameter("expected user=…, the owner of the inbox") }
        guard query["actor"] != nil || query["key"] != nil else {
            throw .parameter("expected actor=… (the person who did it) or key=… (the event's key)")
        }
        guard query["key"] != nil || publisher.reachesOthers else { throw Self.reachesOthers }
        guard let fields = try JSONBody.unambiguous(request.body).object, !fields.isEmpty else {
            throw Problem(status: 400, code: "wrong_type", detail: "expected an object with at least one member")
        }
        try check(fields, ofType: type)
        let patch = NotificationPatch(
            user: try UserID(parameter: user, in: app), type: type, actor: query["actor"], key: query["key"],
            publisher: app.key(publisher.name), fields: fields, now: node.now())
        let completion = reply.answer { (count: Int) in .object { $0.member("updated", count) } }
        node.store.patch(patch, completion: completion)
    }

    private static let reachesOthers = Problem(
        status: 403, code: "call_not_allowed",
        detail: "an actor's notifications may be of other publishers' events: expected key=…, or the right \"others\"")

    /// Only fields that a catalog calls live may change: all others follow from the event.
    private func check(_ fields: JSONObject, ofType name: String) throws(Problem) {
        let catalogs = node.catalogs(of: app).catalogs
        let types = catalogs.compactMap { $0.notificationType(named: name) }
        guard !types.isEmpty else {
            let known = catalogs.flatMap(\.typeNames)
            throw Problem(
                status: 422, code: "unknown_type",
                detail: "no catalog has a type \"\(name)\"\(Self.hint(for: name, among: known))")
        }
        let live = types.reduce(into: Set<String>()) { $0.formUnion($1.liveFields) }
        for key in fields.keys where !live.contains(key) {
            throw Problem(
                status: 422, code: "unknown_field",
                detail: "\"\(key)\" is not a live field of \(name)\(Self.hint(for: key, among: live.sorted()))")
        }
    }

    private static func hint(for word: String, among known: [String]) -> String {
        if let nearest = Spelling.nearest(to: word, among: known) { return "; did you mean \"\(nearest)\"?" }
        return known.isEmpty ? ", which has none" : "; expected \(Spelling.list(known))"
    }
}
