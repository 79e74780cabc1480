import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `DELETE /v1/events/{key}`: a publisher takes back everything published with this key.
///
/// Repeating the call is safe and answers with zeros. The key is free then, and the next event with it is a new one.
struct RetractRoute {
    let node: Node
    let app: AppName

    /// - Parameter owner: the publisher of the event, if it is another one than the caller.
    func serve(key: String, by publisher: Publisher, of owner: String?, _ reply: HTTPReply) throws(Problem) {
        let owner = owner ?? publisher.name
        guard publisher.reaches(owner) else {
            throw Problem(
                status: 403, code: "call_not_allowed",
                detail: "the event is another publisher's: expected the right \"others\"")
        }
        let unknown = Problem(
            status: 404, code: "unknown_event",
            detail: "no event with the key \"\(key)\" of the publisher \"\(owner)\" is known")
        // No event has such a key, and the store would cut it at the zero.
        guard !key.utf8.contains(0) else { return reply.send(unknown.response) }
        let completion = reply.answer(or: unknown) { (retraction: Retraction) in
            .object { json in
                json.member("event", retraction.event)
                json.member("removed", retraction.removed)
                json.member("updated", retraction.updated)
                json.member("pushesCancelled", retraction.pushesCancelled)
                if retraction.items > 0 { json.member("items", retraction.items) }
            }
        }
        node.store.retract(
            key: key, by: app.key(owner), catalogs: node.catalogs(of: app), at: node.now(),
            completion: completion)
    }
}
