import Inbox
import Push

/// Push jobs, and whose turn it is among them.
extension OpenTransaction {
    /// Whose turn it is among a provider's jobs. `body` must not ask for the same again.
    func withTurns<Result>(
        of provider: Device.Provider, _ body: (inout PushTurns) throws -> Result
    ) throws -> Result {
        // A rehearsal hands nothing out, and begins with turns of its own: to find what was put off reads the whole
        // queue.
        var turns = try turns.take(provider) { isRehearsal ? [:] : try pushJobs.putOff(provider: provider) }
        defer { self.turns.put(turns, provider) }
        return try body(&turns)
    }

    func queue(_ job: NewPushJob, _ provider: Device.Provider) throws {
        try noteQueued(pushJobs.insert(job, provider: provider), provider)
    }

    /// A job waits there that did not before.
    func noteQueued(_ place: PushTurns.Place, _ provider: Device.Provider) throws {
        try withTurns(of: provider) { $0.added(place) }
        tellPush(provider, due: place.availableAt)
    }

    /// A job that may have held up its device is gone: what waited behind it is due by now.
    func noteCancelled(device: Int64, notification: Int64, _ provider: Device.Provider) throws {
        let isNextFree = try withTurns(of: provider) { $0.cancelled(device: device, notification: notification) }
        if isNextFree { tellPush(provider, due: Timestamp(milliseconds: 0)) }
    }

    /// What notifications say, those too that are only pushed: of each the row of its content and `rev`; nil for one
    /// that is gone.
    /// - Parameter wanted: ``ShownContents/mostNotifications`` at most.
    func contentsShown(
        by wanted: [(inbox: Int64, notification: Int64)]
    ) throws -> [(content: Int64, rev: Int64)?] {
        var shown = try shownContents.contents(wanted)
        for (place, one) in wanted.enumerated() where PushOnlyNumber.isOne(one.notification) {
            let record = try notifications.record(inbox: one.inbox, id: one.notification)
            shown[place] = record.map { (content: $0.contentID, rev: $0.rev) }
        }
        return shown
    }

    // MARK: What devices show

    /// Takes a job out of the queue whose push will not be shown; what its device shows, as of an earlier push, is
    /// marked.
    /// - Parameter provider: the device's of the moment.
    func giveUp(device: Int64, notification: Int64, _ provider: Device.Provider) throws {
        if let mark = try pushJobs.giveUp(device: device, notification: notification, provider) {
            try pushMarks.add(mark, device: device)
        }
    }

    /// The notifications that a device shows, also those that another push of is to follow, and their collapse ids,
    /// where those are not their own.
    func shown(device: Int64) throws -> [(notification: Int64, collapse: String?)] {
        try pushMarks.marks(device: device).map { ($0.notification, $0.collapse) } + pushJobs.shown(device: device)
    }

    /// A mark is gone: what it has told of an accepted push the trail tells from now on.
    func note(_ mark: PushMark, inbox: Int64, on device: Device) {
        guard let time = mark.sentAt else { return }
        var device = device
        // It may have registered with another one since.
        device.provider = mark.provider
        trail.note(.sent, of: mark.notification, inbox: inbox, on: device, at: time)
    }
}
