import FuzzedNode
import Inbox
import JSON
import ReferenceStore

/// An event that a backend publishes alone, and in one of the other forms: in an array, as a line of a stream, or as a
/// CloudEvent in its three content modes. Both are taken in alike, or refused alike with a pointer to the same place. A dry
/// run says what happens and changes nothing, and the same event once more changes nothing either.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzPublication(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = FuzzInput(start, count).bytes
    MainActor.assumeIsolated {
        var choices = Choices(bytes)
        let event = EventChoices.event(&choices)
        let form = choices.pick(PublicationForms.allCases.filter { $0 != .own && $0.carries(event) })
        let (own, other) = (Published(event, as: .own), Published(event, as: form))
        let text = JSONValue.object(event).text
        claimEqual(other.outcome, form.told(own.outcome), "\(form) is taken in differently: \(text)")
        claimEqual(other.unread, own.unread, "\(form) changes other inboxes: \(text)")
    }
    return 0
}

extension JSONValue {
    var text: String { String(decoding: encoded, as: UTF8.self) }
}

/// What has come of one event on a node of its own.
@MainActor
struct Published {
    /// The answer's counts, or the code and the place of what is wrong, in the event's own form.
    let outcome: [String]
    /// How many unread rows each person has.
    let unread: [String: Int64]

    private static let parts = NodeParts(catalog: EventChoices.catalog)

    init(_ event: JSONObject, as form: PublicationForms) {
        let node = FuzzedNode(Self.parts)
        for request in EventChoices.beginning { _ = node.exchange(request, isPublisher: true) }
        let before = Self.unread(on: node)
        let rehearsed = form.hasDryRun ? Self.outcome(of: event, form, dryRun: true, on: node) : nil
        claimEqual(Self.unread(on: node), before, "a dry run that changes inboxes")
        outcome = Self.outcome(of: event, form, on: node)
        // What goes to very many is told before it has come to all.
        let isWhole = outcome != [Self.underWay]
        if let rehearsed, isWhole { claimEqual(rehearsed, outcome, "a dry run that says something else") }
        unread = Self.unread(on: node)
        let again = Self.outcome(of: event, form, on: node)
        if isWhole { claimEqual(again, outcome, "an event that has another outcome once more") }
        claimEqual(Self.unread(on: node), unread, "an event that counts twice")
        node.stop()
    }

    private static let underWay = "under way"

    private static func unread(on node: FuzzedNode) -> [String: Int64] {
        var unread: [String: Int64] = [:]
        for inbox in node.store.database.state.inboxes.values {
            unread[inbox.user.name] = node.store.database.currentState(of: inbox.user)?.unread
        }
        return unread.filter { $0.value > 0 }
    }

    private static func outcome(
        of event: JSONObject, _ form: PublicationForms, dryRun: Bool = false, on node: FuzzedNode
    ) -> [String] {
        let bytes = node.exchange(form.request(event, dryRun: dryRun), isPublisher: true)
        guard let answer = PlainResponse.all(in: bytes)?.first,
            let json = answer.body.withOwnMemory({ try? JSONValue(parsing: $0) })
        else { fatalError("\(form) is not answered: \(String(decoding: bytes, as: UTF8.self))") }
        claim(answer.status < 500, "\(form) fails: \(json.text)")
        guard let object = (json.array?.first ?? json).object else {
            fatalError("an answer of another form: \(json.text)")
        }
        if let code = object["code"]?.string {
            return [code, form.place(of: object["pointer"]?.string)]
        }
        if object["state"] != nil || object["paged"] != nil { return [underWay] }
        let counts = ["created", "updated", "suppressed"].map { object[$0]?.text ?? "" }
        return [object["warnings"]?.text ?? "", counts.joined(separator: " ")]
    }
}
