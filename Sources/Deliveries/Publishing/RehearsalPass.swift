package import Inbox
package import Store

/// The progress of a publication's rehearsal: what is known so far, and on whom it was not tried yet.
package struct RehearsalPass: Sendable {
    /// The untried rest of an event for more people than share a transaction.
    package struct Rest: Sendable {
        /// The event's place in its publication.
        package let place: Int
        /// The named people.
        package var members: ArraySlice<Audience.Member>
        /// The people of "everybody else", where the event goes to them.
        package var everybody: Everybody?
        /// Whether the event was tried on nobody yet.
        package var isWhole = true

        package var isEmpty: Bool { members.isEmpty && everybody == nil }

        package init(
            place: Int, members: ArraySlice<Audience.Member>, everybody: Everybody? = nil, isWhole: Bool = true
        ) {
            (self.place, self.members, self.everybody, self.isWhole) = (place, members, everybody, isWhole)
        }
    }

    package struct Everybody: Sendable {
        package let app: AppName
        /// The place of the route in ``RoutedEvent/routes``.
        package let route: Int
        /// Named by the event, and so not among all others.
        package let named: Set<UserID>
        /// All inboxes up to this one were tried.
        package var afterInbox: Int64 = 0
        /// The last inbox before the publication.
        package let lastInbox: Int64
        /// Users whose inboxes the publication's earlier events have made. They vanish with the rehearsal, and come
        /// last.
        package let newcomers: [UserID]

        package init(
            app: AppName, route: Int, named: Set<UserID>, afterInbox: Int64 = 0, lastInbox: Int64, newcomers: [UserID]
        ) {
            self.app = app
            self.route = route
            self.named = named
            self.afterInbox = afterInbox
            self.lastInbox = lastInbox
            self.newcomers = newcomers
        }
    }

    /// Something that a person got of an earlier event of the publication.
    package struct Receipt: Sendable {
        /// Counts up in the order in which events reach people.
        package let step: Int
        /// The event's place in its publication.
        package let place: Int
        package let member: Audience.Member

        package init(step: Int, place: Int, member: Audience.Member) {
            (self.step, self.place, self.member) = (step, place, member)
        }
    }

    package let publication: Publication
    /// How many recipients are told of each event.
    package let limit: Int
    package var rehearsals: [Rehearsal] = []
    /// Events whose key an earlier event of the publication had; that one's result is theirs, too.
    package var repeats: [(place: Int, first: Int)] = []
    /// In the order of their turns.
    package var rests: [Rest] = []
    /// On how many more people events may be tried.
    package var room: Int
    /// The tried and undone deliveries by recipient: each page finds its own people as the earlier events leave them.
    private var receipts: [UserID: [Receipt]] = [:]
    private var steps = 0

    package init(of publication: Publication, limit: Int, room: Int) {
        (self.publication, self.limit, self.room) = (publication, limit, room)
    }

    /// Whether nobody is left to try an event on, or no room.
    package var isOver: Bool { rests.isEmpty || room <= 0 }

    /// To be asked once the pass is over. Events that were not tried on all their people say so.
    package var result: [Rehearsal] {
        var result = rehearsals
        for rest in rests { result[rest.place].isWhole = false }
        for (place, first) in repeats {
            result[place].outcome = result[first].outcome
            result[place].outcome.isReplay = true
            result[place].isWhole = result[first].isWhole
            if result[first].outcome.broadcast != nil { result[place].people = result[first].people }
        }
        return result
    }

    /// Notes that an event has reached these people, after all that were noted before.
    package mutating func note(_ members: some Sequence<Audience.Member>, of place: Int) {
        steps += 1
        for member in members {
            receipts[member.user, default: []].append(Receipt(step: steps, place: place, member: member))
        }
    }

    /// The deliveries to these people, event by event or page by page, in order.
    package func received(by people: some Sequence<Audience.Member>) -> [(place: Int, members: [Audience.Member])] {
        let all = people.flatMap { receipts[$0.user] ?? [] }.sorted { $0.step < $1.step }
        var steps: [(step: Int, place: Int, members: [Audience.Member])] = []
        for receipt in all {
            if steps.last?.step != receipt.step { steps.append((receipt.step, receipt.place, [])) }
            steps[steps.count - 1].members.append(receipt.member)
        }
        return steps.map { ($0.place, $0.members) }
    }
}
