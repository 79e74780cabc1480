import Inbox
import Push

/// Push jobs, and whose turn it is among them.
extension OpenTransaction {
    /// Whose turn it is among a provider's jobs. `body` must not ask for the same again.
    func withTurns<Result>(
        of provider: Device.Provider, _ body: (inout PushTurns) throws -> Result
    ) throws -> Result {
        // A rehearsal hands nothing out, and begins with turns of its own: to find what was put off reads the whole queue.
        var turns = try turns.take(provider) { isRehearsal ? [:] : try pushJobs.putOff(provider: provider) }
        defer { self.turns.put(turns, provider) }
        return try body(&turns)
    }

    func queue(_ job: NewPushJob, _ provider: Device.Provider) throws {
        try pushJobs.insert(job, provider: provider)
        let place = PushTurns.Place(availableAt: job.due, device: job.device, notification: job.notification)
        try noteQueued(place, provider)
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

    /// A mark is gone that has told of an accepted push: the trail tells it from now on.
    func note(_ push: SentPush, inbox: Int64, on device: Device) {
        var device = device
        // It may have registered with another one since.
        device.provider = push.provider
        trail.note(.sent, of: push.notification, inbox: inbox, on: device, at: push.at)
    }
}
