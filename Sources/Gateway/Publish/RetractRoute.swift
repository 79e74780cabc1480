import JSON
import Storage
import Transport
import WireProtocol

/// `DELETE /v1/events/{key}`: a publisher takes back what they published with this key.
///
/// Asked again it answers with zeros: whoever did not get the first answer may ask again. What the key stood for is
/// gone then, and the next event with it is a new one.
struct RetractRoute {
    let node: Node

    func serve(key: String, by publisher: String, _ reply: HTTPReply) {
        // No event has such a key, and to the store it would be the shorter one.
        guard !key.utf8.contains(0) else { return reply.send(unknown(key, of: publisher)) }
        node.store.retract(key: key, by: publisher, catalogs: node.currentCatalogs, at: node.now()) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(nil): reply.send(unknown(key, of: publisher))
            case .success(let retraction?):
                reply.send(
                    .json { json in
                        json.object { json in
                            json.member("event", retraction.event)
                            json.member("removed", retraction.removed)
                            json.member("updated", retraction.updated)
                            json.member("pushesCancelled", retraction.pushesCancelled)
                            if retraction.items > 0 { json.member("items", retraction.items) }
                        }
                    })
            }
        }
    }

    private func unknown(_ key: String, of publisher: String) -> HTTPResponse {
        Problem(
            status: 404, code: "unknown_event",
            detail: "no event with the key \"\(key)\" of the publisher \"\(publisher)\" is known"
        ).response
    }
}
