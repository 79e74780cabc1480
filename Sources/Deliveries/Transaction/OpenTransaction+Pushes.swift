import Inbox
package import Push

/// Push jobs, and the order in which they leave.
extension OpenTransaction {
    package func queue(_ job: NewPushJob, _ provider: Device.Provider) throws {
        guard let place = try pushJobs.queue(job, provider: provider) else {
            return tellPush(provider, due: job.due)
        }
        try noteQueued(place, provider)
    }

    /// Notes that a job now waits at this place.
    package func noteQueued(_ place: PushTurns.Place, _ provider: Device.Provider) throws {
        try turns.added(place, provider)
        tellPush(provider, due: place.availableAt)
    }

    /// Notes that a job is gone. If it held up its device, the job behind it is due by now.
    package func noteCancelled(device: Int64, notification: Int64, _ provider: Device.Provider) throws {
        let isNextFree = try turns.cancelled(device: device, notification: notification, provider)
        if isNextFree { tellPush(provider, due: Timestamp(milliseconds: 0)) }
    }

    // MARK: What devices show

    /// Removes a job whose push will not be shown. If the device shows an earlier push of it, a mark keeps that.
    /// - Parameter provider: the device's current one.
    package func giveUp(device: Int64, notification: Int64, _ provider: Device.Provider) throws {
        if let mark = try pushJobs.giveUp(device: device, notification: notification, provider) {
            try pushMarks.add(mark, device: device)
        }
    }

    /// The notifications that a device shows, with the collapse id of each that does not use its own. Includes those
    /// that another push is to follow.
    package func shown(device: Int64) throws -> [(notification: Int64, collapse: String?)] {
        try pushMarks.marks(device: device).map { ($0.notification, $0.collapse) } + pushJobs.shown(device: device)
    }

    /// Moves to the trail what a deleted mark told of an accepted push.
    package func note(_ mark: PushMark, inbox: Int64, on device: Device) {
        guard let time = mark.sentAt else { return }
        var device = device
        // The device may have registered with another provider since.
        device.provider = mark.provider
        trail.note(.sent, of: mark.notification, inbox: inbox, on: device, at: time)
    }
}
