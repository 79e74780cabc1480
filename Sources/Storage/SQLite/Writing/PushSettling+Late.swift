import Inbox
import Push

extension PushSettling {
    /// The lease is over, and the job may have been handed out again: only what is final counts.
    func settleLate(_ job: PushJob, as action: PushAction, attempt: PushAttempt) throws {
        // Nothing is kept of somebody who was erased meanwhile; if they are back, under the same numbers are others'
        // pushes.
        guard let inbox = try open.knownInbox(of: job.user),
            (job.message.notification?.inbox ?? inbox.id) == inbox.id
        else { return }
        note(action, of: job, attempt: attempt)
        guard let device = try open.devices.record(inbox: inbox.id, app: job.device.app, id: job.device.id)
        else { return }
        var parts = job.parts.compactMap { $0.notification?.sequence }
        switch action {
        case .finish:
            let collapse = job.message.collapseID
            let leaving = try parts.compactMap { part in
                try open.pushRenewals.shownAs(device: device.row, notification: part)
            }.filter { $0 != collapse }
            // What has grown since is still to be pushed.
            parts = try parts.filter { part in
                let name = NotificationID(inbox: inbox.id, sequence: part)
                let seq = job.message.position.seq
                return try !open.pushRenewals.keep(device: device.row, name, after: seq, collapse: collapse)
            }
            // Nothing else tells of its place on the screen, if the job that waits is about more than it.
            open.promise()
            guard let known = try open.device(row: device.row) else { return }
            try finish(
                job, known, of: device.device.provider, parts: parts, leaving: leaving, isOvertaken: true, sentAt: nil)
        case .abandon:
            // Its new provider may still take it, or the same one under the new token.
            guard (device.device.provider, device.device.token) == (job.device.provider, job.device.token)
            else { return }
            // What was accepted meanwhile is on the screen.
            for part in parts {
                try open.giveUp(device: device.row, notification: part, device.device.provider)
            }
        case .retry:
            return
        case .forgetDevice:
            _ = try forget(job, device: device.row)
            return
        }
        for part in parts {
            try open.noteCancelled(device: device.row, notification: part, device.device.provider)
        }
    }
}
