import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `POST /v1/events?dryRun=true`: tells who would get what, and why, and changes nothing.
struct DryRunRoute {
    private static let toldRecipients = 100

    let node: Node
    let form: PublicationForm

    private static let unstreamable = Problem(
        status: 422, code: "invalid_parameter", detail: "dryRun: expected one event or an array, not a stream")

    /// The refusal of a stream with such a query; nil if the stream may be published.
    static func refusalOfStream(_ query: HTTPQuery) -> Problem? {
        do throws(Problem) {
            return try isWanted(query) ? unstreamable : nil
        } catch {
            return error
        }
    }

    /// Whether the query asks for a dry run.
    static func isWanted(_ query: HTTPQuery) throws(Problem) -> Bool {
        if query.items.isEmpty { return false }
        switch query.values("dryRun") {
        case [], ["false"]: return false
        case ["true"]: return true
        default: throw .parameter("dryRun: expected true or false")
        }
    }

    /// - Parameter share: ended when the answer is given.
    func serve(
        _ entries: [Publication.Entry], isArray: Bool, by publisher: String, _ share: PublishLoad.Share,
        _ reply: HTTPReply
    ) {
        let now = node.now()
        let publication = Publication(publisher: publisher, entries: entries, now: now)
        let tried = Set(entries.map(\.id))
        node.store.rehearse(publication, limit: Self.toldRecipients) { result in
            switch result {
            case .failure(let error):
                reply.send(form.placed(Problem(error, inArray: isArray)).response, ending: share)
            case .success(let rehearsals):
                reply.send(
                    .json { json in
                        guard isArray else {
                            guard let only = rehearsals.first else { return }
                            Self.write(only, of: entries[0], tried, at: now, to: &json)
                            return
                        }
                        json.array { json in
                            for (rehearsal, entry) in zip(rehearsals, entries) {
                                Self.write(rehearsal, of: entry, tried, at: now, to: &json)
                            }
                        }
                    }, ending: share)
            }
        }
    }

    /// Leaves out the event's id, as no event with it will ever exist.
    /// - Parameter tried: the ids of all tried events, as one may repeat another.
    private static func write(
        _ rehearsal: Rehearsal, of entry: Publication.Entry, _ tried: Set<String>, at now: Timestamp,
        to json: inout JSONWriter
    ) {
        let outcome = rehearsal.outcome
        json.object { json in
            json.member("dryRun", true)
            json.member("people", rehearsal.people)
            json.member("created", outcome.created)
            json.member("updated", outcome.updated)
            json.member("suppressed", outcome.suppressed)
            if outcome.isReplay {
                json.member("replayed", true)
                // The id of an existing event.
                if !tried.contains(outcome.event) { json.member("event", outcome.event) }
            }
            if outcome.broadcast != nil { json.member("paged", true) }
            if !rehearsal.isWhole { json.member("atLeast", true) }
            entry.writeWarnings(to: &json)
            writeItems(rehearsal.outcome.items, of: entry, at: now, to: &json)
            json.key("recipients")
            json.array { json in
                for recipient in rehearsal.recipients { write(recipient, to: &json) }
            }
        }
    }

    /// An item that would be new gets no offset: others may take it by then.
    private static func writeItems(
        _ items: [PublishedItem], of entry: Publication.Entry, at now: Timestamp, to json: inout JSONWriter
    ) {
        if items.isEmpty { return }
        json.key("feeds")
        json.array { json in
            for (item, new) in zip(items, entry.routed.items) {
                json.object { json in
                    json.member("feed", AppName.name(ofKey: item.feed))
                    if item.isNew {
                        var stamped = new.item
                        stamped.stamp(now)
                        json.member("item", raw: stamped.json)
                    } else {
                        json.member("offset", item.position.offset)
                        json.member("replayed", true)
                    }
                }
            }
        }
    }

    private static func write(_ recipient: Rehearsal.Recipient, to json: inout JSONWriter) {
        json.object { json in
            if let user = recipient.user { json.member("user", user.name) }
            recipient.decision.writeMembers(to: &json)
            if let type = recipient.type { json.member("type", type) }
            json.member("live", recipient.isLive)
            guard let content = recipient.content else { return }
            if !recipient.decision.isPushOnly { json.member("displayText", content.displayText) }
            guard let push = content.push else { return }
            json.key("pushContent")
            json.object { json in
                json.member("title", push.title)
                json.member("body", push.body)
            }
        }
    }
}
