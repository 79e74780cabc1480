package import Inbox
package import Push
package import Store

/// Hands out pushes to Live Activities, and takes in what became of them.
package struct ActivityLeasing {
    let open: OpenTransaction
    let now: Timestamp

    package init(open: OpenTransaction, now: Timestamp) { (self.open, self.now) = (open, now) }

    private var rows: any ActivityRows { open.rows.activities }

    package func lease(
        _ limit: Int, for provider: Device.Provider, until end: Timestamp
    ) throws -> LeasedActivities {
        let found = try rows.due(limit, for: provider, at: now)
        // Whoever changes an activity has its inbox's lock by then: of two nodes that found one, the first gets it.
        if found.count > 0 { try open.expect { .owners(found.map(\.inbox)) } }
        var jobs: [ActivityJob] = []
        for due in found {
            guard let user = try open.user(ofInbox: due.inbox), try open.knownInbox(of: user) != nil,
                let known = try open.device(row: due.place.device), known.inbox == due.inbox,
                known.device.provider == provider, var activity = try rows.activity(due.place)
            else {
                // Nobody is left to tell.
                try rows.delete(due.place)
                continue
            }
            var device = try rows.device(known.row) ?? ActivityDevice()
            let before = device
            let (leased, notes) = activity.lease(on: &device, limits, at: now, until: end)
            note(notes, known)
            if device != before { try rows.write(device, row: known.row) }
            try open.write(activity, at: due.place, inbox: known.inbox, provider)
            guard let leased else { continue }
            jobs.append(
                ActivityJob(
                    row: known.row, number: leased.number, user: user, device: known.device, push: leased.push))
        }
        return LeasedActivities(jobs: jobs, nextDue: try rows.nextDue(for: provider))
    }

    /// An outcome whose activity or device is gone changes nothing.
    package func settle(_ outcomes: [ActivityOutcome]) throws {
        try open.expect { .people(outcomes.map(\.job.user)) }
        for outcome in outcomes {
            let place = ActivityPlace(device: outcome.job.row, key: outcome.job.key)
            guard try open.knownInbox(of: outcome.job.user) != nil,
                let known = try open.device(row: outcome.job.row), known.device.id == outcome.job.device.id,
                var activity = try rows.activity(place)
            else { continue }
            var device = try rows.device(known.row) ?? ActivityDevice()
            let before = device
            let notes = activity.settle(
                outcome.job.number, outcome.verdict, on: &device, at: now, jitter: outcome.jitter)
            note(notes, known)
            if device != before { try rows.write(device, row: known.row) }
            try open.write(activity, at: place, inbox: known.inbox, known.device.provider)
        }
    }

    private var limits: DeviceActivity.Limits {
        .init(starts: open.options.activityStartsPerHour, pressing: open.options.activityPressingPerHour)
    }

    private func note(_ notes: [DeviceActivity.Note], _ device: KnownDevice) {
        for note in notes {
            open.trail.note(
                .activity(note.became), of: note.notification, inbox: device.inbox, on: device.device, at: now)
        }
    }
}
