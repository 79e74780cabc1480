import Inbox
import Push
package import Store

extension PushSettling {
    /// An accepted push that stands for one notification and is not overtaken. Deleting its job shows whether the job
    /// still waited.
    private struct Plain {
        let index: Int
        let place: PushTurns.Place
    }

    /// Settles the plain outcomes, which nearly all are: their rows are written together.
    ///
    /// A device has one lease at a time. So outcomes with a lease are of different devices, and independent. Once the
    /// lease of one is over, the order counts: then nothing is settled together.
    /// - Parameter leases: of each outcome, as it was ended.
    /// - Returns: for each outcome whether it is settled.
    package func settleTogether(_ outcomes: [PushOutcome], _ leases: [PushLeases.Lease?]) throws -> [Bool] {
        var isSettled = [Bool](repeating: false, count: outcomes.count)
        // The outcomes of a lane are of one provider.
        guard outcomes.count > 1, let provider = outcomes.first?.job.target.device.provider, provider.takesSilentPushes,
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
        let wasThere = try open.pushJobs.delete(plain.map(\.place), provider)
        var marks: [(device: Int64, mark: PushMark)] = []
        marks.reserveCapacity(plain.count)
        for (one, wasThere) in zip(plain, wasThere) where wasThere {
            isSettled[one.index] = true
            tellWebhooks(of: .finish, of: outcomes[one.index].job)
            // The mark of a push for one notification tells the trail when it was accepted.
            let mark = mark(of: outcomes[one.index].job, one.place.notification, sentAt: now)
            marks.append((one.place.device, mark))
        }
        try open.pushMarks.add(marks)
        for one in plain where isSettled[one.index] {
            try trimMarks(of: outcomes[one.index].job, device: one.place.device, newest: one.place.notification)
        }
        return isSettled
    }

    /// Writes what the device's icon shows after an accepted push.
    /// - Returns: whether the outcome was such a push.
    private func writeBadge(of outcome: PushOutcome, _ row: Int64, _ provider: Device.Provider) throws -> Bool {
        let message = outcome.job.message
        guard case .finish = outcome.action, let rule = message.shared?.content.badge, message.notification != nil,
            outcome.job.target.device.provider == provider, let device = try open.device(row: row)
        else { return false }
        try open.write(.init(number: message.badge, rule: rule), of: device)
        return true
    }
}
