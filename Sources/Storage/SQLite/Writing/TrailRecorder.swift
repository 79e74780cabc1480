import Inbox
import JSON
import Push

/// Gathers what one transaction decides about whom, so that it is written in as few rows as it takes.
struct TrailRecorder {
    /// Somebody about whom was decided.
    struct Recipient {
        let inbox: Int64
        /// Of their notification; nil if they got none.
        let notification: Int64?
        /// Whether a session of theirs was open.
        var isLive = false
    }

    /// What the trail keeps of an event beside the decisions.
    struct Head {
        let publisher: String
        let key: String?
        let type: String
        let actor: String?
        let occurredAt: Timestamp?
        let acceptedAt: Timestamp
        /// Its actor and data, and whether people had data of their own, where it may have to be taken out of a batch
        /// again.
        var data: JSONObject?
    }

    /// One event in this transaction. To be looked at where it lies: it holds a dozen things that copying it would
    /// count.
    struct Gathering {
        let event: String
        /// Nil for a later page of an event that was taken in before.
        fileprivate(set) var head: Head?
        /// Of its key; nil without one.
        fileprivate let digest: UInt64?
        /// What its key stands for; nil without a key.
        fileprivate(set) var use: KeyTable.Use?
        /// The place of the gathering before it whose key has the same digest.
        fileprivate var earlierWithKey: Int?
        private(set) var verdicts = TrailVerdicts()
        private var last = 0
        /// So many groups are looked through faster than a verdict is hashed.
        private static let searched = 16
        /// Where the groups are, once there are more.
        private var places: [TrailVerdicts.Verdict: Int] = [:]

        init(event: String, head: Head? = nil) {
            self.event = event
            self.head = head
            digest = head?.key.map { ExactText($0).digest }
        }

        /// The place of the verdict's group. Whoever comes next mostly gets the same verdict as the one before, and
        /// mostly there are few: a handful for each type that the event is shown as. When a push is due may differ from
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

        /// What the event's key stands for, if it is this one.
        func use(of key: ExactText, by publisher: ExactText) -> KeyTable.Use? {
            guard let own = head?.key, ExactText(own) == key,
                let owner = head?.publisher, ExactText(owner) == publisher
            else { return nil }
            return use
        }

        mutating func append(_ recipient: RecipientList.Recipient, to verdict: consuming TrailVerdicts.Verdict) {
            verdicts.append(recipient, toGroupAt: place(of: verdict))
        }

        mutating func append(stranger: UserID, to verdict: TrailVerdicts.Verdict) {
            verdicts.append(stranger: stranger, toGroupAt: place(of: verdict))
        }
    }

    /// One later decision.
    struct Step {
        let inbox: Int64
        let notification: Int64
        let at: Timestamp
        let step: TrailStep
        let provider: Device.Provider?
        let device: String?
        /// When the push was accepted that is taken from the screen, where no step of its own says so.
        let sentAt: Timestamp?
    }

    private(set) var gatherings: [Gathering] = []
    private(set) var steps: [Step] = []
    /// How many of the steps say that a push was cancelled.
    private(set) var cancelled = 0
    /// Events whose keys came again.
    private(set) var repeats: [(event: String, at: Timestamp)] = []
    /// Where the gatherings are, of the first `placed` of them: mostly only the last one is asked for.
    private var places: [String: Int] = [:]
    private var placed = 0
    /// So many gatherings are looked through for a key faster than it is hashed.
    private static let searched = 16
    /// By a key's digest: the last of the first `keyPlaced` gatherings that has it, once there are more than are looked
    /// through.
    private var keyed: [UInt64: Int] = [:]
    private var keyPlaced = 0

    /// Makes room at once for so many more events.
    mutating func reserve(events: Int) {
        let count = gatherings.count + events
        gatherings.reserveCapacity(count)
        if count > Self.searched { keyed.reserveCapacity(count) }
    }

    /// So many bytes of room are kept from one transaction to the next.
    static let mostSpared = 512 << 10

    /// How many bytes it has room for, without what the gatherings hold themselves.
    var roomBytes: Int {
        gatherings.capacity * MemoryLayout<Gathering>.stride + steps.capacity * MemoryLayout<Step>.stride
            + repeats.capacity * MemoryLayout<(event: String, at: Timestamp)>.stride
            + places.capacity * MemoryLayout<(String, Int)>.stride
            + keyed.capacity * MemoryLayout<(UInt64, Int)>.stride
    }

    /// Forgets all, but keeps the room for as much, unless that is too large.
    mutating func removeAll() {
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

    /// An event is taken in; to be called once for each, before its decisions are noted.
    ///
    /// - Parameters:
    ///   - actor: the event's ``Event/actorID``.
    ///   - keepsData: whether one of its types batches: with a key it may have to be taken out of a batch again.
    mutating func begin(
        _ event: Event, of actor: String?, id: String, by publisher: String, at now: Timestamp, keepsData: Bool
    ) {
        var data: JSONObject?
        if keepsData, event.key != nil {
            data = ["data": .object(event.data)]
            if let actor = event.actor { data?["actor"] = .object(actor) }
            if event.to.contains(where: { !$0.own.isEmpty }) { data?["own"] = true }
        }
        let head = Head(
            publisher: publisher, key: event.key, type: event.type, actor: actor, occurredAt: event.occurredAt,
            acceptedAt: now, data: data)
        gatherings.append(Gathering(event: id, head: head))
    }

    /// The event is taken in with its key, for as long as that is remembered.
    mutating func keep(_ use: KeyTable.Use, of event: String) { gatherings[gathering(of: event)].use = use }

    /// What a key was used for in this transaction, the last time.
    mutating func use(of key: String, by publisher: String) -> KeyTable.Use? {
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

    /// The event, which is taken in now, has published these items.
    mutating func note(_ items: [PublishedItem], of event: String) {
        let place = gathering(of: event)
        guard !items.isEmpty, var head = gatherings[place].head else { return }
        head.data = head.data ?? [:]
        head.data?["feeds"] = .array(items.map { [.string($0.feed), .int($0.position.offset)] })
        gatherings[place].head = head
    }

    /// A decision about somebody when an event is taken in.
    mutating func note(_ decision: TrailDecision, type: String?, of event: String, to recipient: Recipient) {
        gatherings[gathering(of: event)].append(
            RecipientList.Recipient(inbox: recipient.inbox, notification: recipient.notification),
            to: TrailVerdicts.Verdict(decision: decision, type: type, isLive: recipient.isLive))
    }

    /// A decision about somebody who has no inbox.
    mutating func note(_ decision: TrailDecision, of event: String, toStranger user: UserID) {
        gatherings[gathering(of: event)].append(
            stranger: user, to: TrailVerdicts.Verdict(decision: decision, type: nil, isLive: false))
    }

    /// The key of an event that was taken in before came again, and nothing changed.
    mutating func noteRepeat(of event: String, at now: Timestamp) { repeats.append((event, now)) }

    /// What became of a notification, or of its push to one device.
    mutating func note(
        _ step: TrailStep, of notification: Int64, inbox: Int64, on device: Device? = nil, at now: Timestamp,
        sentAt: Timestamp? = nil
    ) {
        if case .cancelled = step { cancelled += 1 }
        steps.append(
            Step(
                inbox: inbox, notification: notification, at: now, step: step, provider: device?.provider,
                device: device?.id, sentAt: sentAt))
    }

    /// Its place.
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
