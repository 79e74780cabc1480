import Inbox
package import Push

extension PushSettling {
    /// Settles a push whose lease is over. The job may have been handed out again, so only a final outcome counts.
    package func settleLate(_ job: PushJob, as action: PushAction, attempt: PushAttempt) throws {
        // A person may have been erased meanwhile, and no data of theirs is kept. If they are back, the same numbers
        // name other pushes.
        guard let inbox = try open.knownInbox(of: job.user),
            (job.message.notification?.inbox ?? inbox.id) == inbox.id
        else { return }
        note(action, of: job, attempt: attempt)
        tellWebhooks(of: action, of: job)
        guard let device = try open.devices.record(inbox: inbox.id, app: job.device.app, id: job.device.id)
        else { return }
        var parts = job.parts.compactMap { $0.notification?.sequence }
        switch action {
        case .finish:
            let collapse = job.message.collapseID
            let leaving = try parts.compactMap { part in
                try open.pushRenewals.shownAs(device: device.row, notification: part)
            }.filter { $0 != collapse }
            // A notification that has grown since is still to be pushed.
            parts = try parts.filter { part in
                let name = NotificationID(inbox: inbox.id, sequence: part)
                let seq = job.message.position.seq
                return try !open.pushRenewals.keep(device: device.row, name, after: seq, collapse: collapse)
            }
            guard let known = try open.device(row: device.row) else { return }
            try finish(
                job, known, of: device.device.provider, parts: parts, leaving: leaving, isOvertaken: true, sentAt: nil)
        case .abandon:
            // The device's new provider may still take the push, or the same provider under the new token.
            guard (device.device.provider, device.device.token) == (job.device.provider, job.device.token)
            else { return }
            // This marks a push that was accepted meanwhile, and so is on the screen.
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
