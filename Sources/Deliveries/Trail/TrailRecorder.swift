package import Inbox
package import JSON
package import Push
package import Store

/// Gathers the decisions of one transaction, so that they are written in as few rows as possible.
package struct TrailRecorder {
    /// The person of a decision.
    package struct Recipient {
        package let inbox: Int64
        /// The person's new or changed notification; nil if there is none.
        package let notification: Int64?
        /// Whether the person had an open session.
        package var isLive = false

        package init(inbox: Int64, notification: Int64?, isLive: Bool = false) {
            (self.inbox, self.notification, self.isLive) = (inbox, notification, isLive)
        }
    }

    /// The data that the trail keeps of an event, beside the decisions.
    package struct Head {
        package let publisher: String
        package let key: String?
        package let type: String
        package let actor: String?
        package let occurredAt: Timestamp?
        package let acceptedAt: Timestamp
        /// The feed items that it published, and its question. Where it may have to be taken out of a batch again, also its actor and
        /// data, and whether people had data of their own.
        package var data: JSONObject?

        package init(
            publisher: String, key: String?, type: String, actor: String?, occurredAt: Timestamp?,
            acceptedAt: Timestamp, data: JSONObject? = nil
        ) {
            self.publisher = publisher
            self.key = key
            self.type = type
            self.actor = actor
            self.occurredAt = occurredAt
            self.acceptedAt = acceptedAt
            self.data = data
        }
    }

    /// One event in this transaction. To be read in place: a copy would count references to a dozen things.
    package struct Gathering {
        package let event: String
        /// Nil for a later page of an event that was taken in before.
        package fileprivate(set) var head: Head?
        /// The key's digest; nil without a key.
        fileprivate let digest: UInt64?
        /// The key's use; nil without a key.
        package fileprivate(set) var use: KeyUse?
        /// The index of the previous gathering whose key has the same digest.
        fileprivate var earlierWithKey: Int?
        package private(set) var verdicts = TrailVerdicts()
        private var last = 0
        /// Up to this many groups, a search is faster than hashing a verdict.
        private static let searched = 16
        /// The groups' indices, once there are more.
        private var places: [TrailVerdicts.Verdict: Int] = [:]

        package init(event: String, head: Head? = nil) {
            self.event = event
            self.head = head
            digest = head?.key.map { ExactText($0).digest }
        }

        /// The index of the verdict's group. The next person mostly gets the same verdict as the one before. Groups are
        /// mostly few, a handful for each type that the event is shown as, but due times of pushes may differ from
        /// person to person.
        private mutating func place(of verdict: consuming TrailVerdicts.Verdict) -> Int {
            if last < verdicts.count, verdicts.verdict(at: last) == verdict { return last }
            if let known = known(verdict) { last = known } else { last = add(verdict) }
            return last
        }

        private func known(_ verdict: TrailVerdicts.Verdict) -> Int? {
            places.isEmpty ? verdicts.place(of: verdict) : places[verdict]
        }

        private mutating func add(_ verdict: consuming TrailVerdicts.Verdict) -> Int {
            verdicts.append(TrailVerdicts.Group(verdict: verdict))
            if verdicts.count > Self.searched {
                for place in places.count..<verdicts.count { places[verdicts.verdict(at: place)] = place }
            }
            return verdicts.count - 1
        }

        /// The use of this key, if it is the event's own.
        package func use(of key: ExactText, by publisher: ExactText) -> KeyUse? {
            guard let own = head?.key, ExactText(own) == key,
                let owner = head?.publisher, ExactText(owner) == publisher
            else { return nil }
            return use
        }

        package mutating func append(_ recipient: RecipientList.Recipient, to verdict: consuming TrailVerdicts.Verdict)
        {
            verdicts.append(recipient, toGroupAt: place(of: verdict))
        }

        package mutating func append(stranger: UserID, to verdict: TrailVerdicts.Verdict) {
            verdicts.append(stranger: stranger, toGroupAt: place(of: verdict))
        }
    }

    /// One later decision.
    package struct Step {
        package let inbox: Int64
        package let notification: Int64
        package let at: Timestamp
        package let step: TrailStep
        package let provider: Device.Provider?
        package let device: String?
        /// When a push that is now withdrawn was accepted, where no step of its own says so.
        package let sentAt: Timestamp?

        package init(
            inbox: Int64, notification: Int64, at: Timestamp, step: TrailStep, provider: Device.Provider?,
            device: String?, sentAt: Timestamp?
        ) {
            self.inbox = inbox
            self.notification = notification
            self.at = at
            self.step = step
            self.provider = provider
            self.device = device
            self.sentAt = sentAt
        }
    }

    package private(set) var gatherings: [Gathering] = []
    package private(set) var steps: [Step] = []
    /// How many of the steps are cancelled pushes.
    package private(set) var cancelled = 0
    /// Events whose keys came again.
    package private(set) var repeats: [(event: String, at: Timestamp)] = []
    /// The indices of the first `placed` gatherings: mostly only the last one is asked for.
    private var places: [String: Int] = [:]
    private var placed = 0
    /// Up to this many gatherings, a search is faster than hashing a key.
    private static let searched = 16
    /// By a key's digest, the last of the first `keyPlaced` gatherings that has it. In use once there are more
    /// gatherings than are searched.
    private var keyed: [UInt64: Int] = [:]
    private var keyPlaced = 0

    package init() {}

    /// Makes room for so many more events.
    package mutating func reserve(events: Int) {
        let count = gatherings.count + events
        gatherings.reserveCapacity(count)
        if count > Self.searched { keyed.reserveCapacity(count) }
    }

    /// How many bytes of room are kept from one transaction to the next.
    package static let mostSpared = 512 << 10

    /// The bytes it has room for, without those inside the gatherings.
    package var roomBytes: Int {
        gatherings.capacity * MemoryLayout<Gathering>.stride + steps.capacity * MemoryLayout<Step>.stride
            + repeats.capacity * MemoryLayout<(event: String, at: Timestamp)>.stride
            + places.capacity * MemoryLayout<(String, Int)>.stride
            + keyed.capacity * MemoryLayout<(UInt64, Int)>.stride
    }

    /// Forgets everything, but keeps the room unless that is too large.
    package mutating func removeAll() {
        guard roomBytes <= Self.mostSpared else {
            self = TrailRecorder()
            return
        }
        gatherings.removeAll(keepingCapacity: true)
        steps.removeAll(keepingCapacity: true)
        repeats.removeAll(keepingCapacity: true)
        if !places.isEmpty { places.removeAll(keepingCapacity: true) }
        if !keyed.isEmpty { keyed.removeAll(keepingCapacity: true) }
        (cancelled, placed, keyPlaced) = (0, 0, 0)
    }

    /// Takes in an event; to be called once for each, before its decisions are noted.
    ///
    /// - Parameters:
    ///   - actor: the event's ``Event/actorID``.
    ///   - keepsData: whether one of its types batches: an event with a key may have to be taken out of a batch again.
    package mutating func begin(
        _ event: Event, of actor: String?, id: String, by publisher: String, at now: Timestamp, keepsData: Bool
    ) {
        var data: JSONObject?
        if keepsData, event.key != nil {
            data = ["data": .object(event.data)]
            if let actor = event.actor { data?["actor"] = .object(actor) }
            if event.to.contains(where: { !$0.own.isEmpty }) { data?["own"] = true }
        }
        if let question = event.question {
            data = data ?? [:]
            data?["\(Question.member)"] = .object(question.json)
        }
        let head = Head(
            publisher: publisher, key: event.key, type: event.type, actor: actor, occurredAt: event.occurredAt,
            acceptedAt: now, data: data)
        gatherings.append(Gathering(event: id, head: head))
    }

    /// Notes what the key of a newly taken in event stands for, for as long as the key is remembered.
    package mutating func keep(_ use: KeyUse, of event: String) { gatherings[gathering(of: event)].use = use }

    /// The last use of a key in this transaction.
    package mutating func use(of key: String, by publisher: String) -> KeyUse? {
        let (key, publisher) = (ExactText(key), ExactText(publisher))
        let digest = key.digest
        guard gatherings.count > Self.searched else {
            for place in gatherings.indices.reversed() where gatherings[place].digest == digest {
                if let use = gatherings[place].use(of: key, by: publisher) { return use }
            }
            return nil
        }
        while keyPlaced < gatherings.count {
            if let digest = gatherings[keyPlaced].digest {
                gatherings[keyPlaced].earlierWithKey = keyed.updateValue(keyPlaced, forKey: digest)
            }
            keyPlaced += 1
        }
        var next = keyed[digest]
        while let place = next {
            if let use = gatherings[place].use(of: key, by: publisher) { return use }
            next = gatherings[place].earlierWithKey
        }
        return nil
    }

    /// Notes the items that an event has published; to be called while the event is taken in.
    package mutating func note(_ items: [PublishedItem], of event: String) {
        let place = gathering(of: event)
        guard !items.isEmpty, var head = gatherings[place].head else { return }
        head.data = head.data ?? [:]
        head.data?["feeds"] = .array(items.map { [.string($0.feed), .int($0.position.offset)] })
        gatherings[place].head = head
    }

    /// Notes a decision about a person when an event is taken in.
    package mutating func note(_ decision: TrailDecision, type: String?, of event: String, to recipient: Recipient) {
        gatherings[gathering(of: event)].append(
            RecipientList.Recipient(inbox: recipient.inbox, notification: recipient.notification),
            to: TrailVerdicts.Verdict(decision: decision, type: type, isLive: recipient.isLive))
    }

    /// Notes a decision about a person who has no inbox.
    package mutating func note(_ decision: TrailDecision, of event: String, toStranger user: UserID) {
        gatherings[gathering(of: event)].append(
            stranger: user, to: TrailVerdicts.Verdict(decision: decision, type: nil, isLive: false))
    }

    /// Notes that the key of an earlier event came again, and nothing changed.
    package mutating func noteRepeat(of event: String, at now: Timestamp) { repeats.append((event, now)) }

    /// Notes a later step of a notification, or of its push to one device.
    package mutating func note(
        _ step: TrailStep, of notification: Int64, inbox: Int64, on device: Device? = nil, at now: Timestamp,
        sentAt: Timestamp? = nil
    ) {
        if case .cancelled = step { cancelled += 1 }
        steps.append(
            Step(
                inbox: inbox, notification: notification, at: now, step: step, provider: device?.provider,
                device: device?.id, sentAt: sentAt))
    }

    /// The index of an event's gathering, which is added if there is none.
    private mutating func gathering(of event: String) -> Int {
        let last = gatherings.count - 1
        if last >= 0, gatherings[last].event == event { return last }
        while placed < gatherings.count {
            places[gatherings[placed].event] = placed
            placed += 1
        }
        if let place = places[event] { return place }
        gatherings.append(Gathering(event: event))
        return gatherings.count - 1
    }
}
