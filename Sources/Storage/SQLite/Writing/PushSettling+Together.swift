import Inbox
import Push

extension PushSettling {
    /// A push that was accepted, stands for one notification and is not overtaken. Whether its job still waits is seen
    /// when it is taken out.
    private struct Plain {
        let index: Int
        let place: PushTurns.Place
    }

    /// Settles what is plain of these outcomes, as nearly all are: the rows of all of them are written together.
    ///
    /// A device has one lease at a time, so no two with a lease are of one device, and none of them depends on what
    /// becomes of another before it. Where one's lease is over, the order counts: nothing is settled together then.
    /// - Parameter leases: of each, as they were ended.
    /// - Returns: of each whether it is settled.
    func settleTogether(_ outcomes: [PushOutcome], _ leases: [PushLeases.Lease?]) throws -> [Bool] {
        var isSettled = [Bool](repeating: false, count: outcomes.count)
        // A lane's are of one provider. What a browser shows need not be known.
        guard outcomes.count > 1, let provider = outcomes.first?.job.target.device.provider, provider != .webpush,
            leases.allSatisfy({ $0 != nil })
        else { return isSettled }
        var plain: [Plain] = []
        plain.reserveCapacity(outcomes.count)
        for index in outcomes.indices {
            guard let lease = leases[index], lease.isPlain, !lease.isOvertaken,
                try writeBadge(of: outcomes[index], lease.place.device, provider)
            else { continue }
            plain.append(Plain(index: index, place: lease.place))
        }
        plain.sort { $0.place < $1.place }
        let wasThere = try open.pushJobRuns.delete(plain.map(\.place), provider)
        var marks: [(device: Int64, mark: PushMark)] = []
        marks.reserveCapacity(plain.count)
        for (one, wasThere) in zip(plain, wasThere) where wasThere {
            isSettled[one.index] = true
            // The mark of a push that stands for itself alone tells the trail when it was accepted.
            let mark = mark(of: outcomes[one.index].job, one.place.notification, sentAt: now)
            marks.append((one.place.device, mark))
        }
        try open.pushMarks.add(marks)
        for one in plain where isSettled[one.index] {
            try trimMarks(of: outcomes[one.index].job, device: one.place.device, newest: one.place.notification)
        }
        return isSettled
    }

    /// Writes what the device's icon shows by an accepted push; tells whether that is what it was.
    private func writeBadge(of outcome: PushOutcome, _ row: Int64, _ provider: Device.Provider) throws -> Bool {
        let message = outcome.job.message
        guard case .finish = outcome.action, let rule = message.shared?.content.badge, message.notification != nil,
            outcome.job.target.device.provider == provider, let device = try open.device(row: row)
        else { return false }
        try open.write(.init(number: message.badge, rule: rule), of: device)
        return true
    }
}
