import Inbox
import Push
package import Store

/// Moves the queue of pushes along with the process' clock.
package struct QueueMove {
    package let open: OpenTransaction
    package let jump: ClockJump

    package func move() throws {
        if jump.span != .zero {
            for provider in open.options.providers { try move(provider) }
            try open.pushPaces.move(by: jump.span)
        }
        if let reading = jump.reading { try open.rows.write(reading) }
    }

    private func move(_ provider: Device.Provider) throws {
        let moved = try open.pushJobs.waiting(provider: provider).compactMap { push in
            let times = jump.times(
                due: push.place.availableAt, expiry: push.expiry, deadline: push.deadline, isDated: push.isDated,
                isFallback: push.isFallback, grace: open.options.grace)
            return times == (push.place.availableAt, push.expiry) ? nil : (place: push.place, times: times)
        }
        try open.withTurns(of: provider) { turns in
            // A job on lease keeps its place: its sender names it so.
            for job in moved
            where !turns.isOnLease(device: job.place.device, notification: job.place.notification) {
                try open.pushHolds.shift(job.place, provider, to: job.times)
            }
            var leases = turns.leases
            leases.move(by: jump.span)
            // The turns are found anew.
            turns = PushTurns(leases: leases, putOff: try open.pushJobs.putOff(provider: provider))
        }
        if !moved.isEmpty { open.tellPush(provider, due: jump.now) }
    }

    package init(open: OpenTransaction, jump: ClockJump) {
        (self.open, self.jump) = (open, jump)
    }
}
