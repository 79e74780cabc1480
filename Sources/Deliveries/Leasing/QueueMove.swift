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
            try open.rows.webhooks.move(by: jump.span)
            open.tellWebhook(due: jump.now)
            try open.rows.activities.move(by: jump.span)
            open.tellActivity(due: jump.now)
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
        // Those on lease, too: they leave once more if the process ends before it has heard of them.
        var leased: [PushTurns.Place: PushTurns.Place] = [:]
        for (place, times) in moved {
            let isOnLease = try open.turns.isOnLease(
                device: place.device, notification: place.notification, provider)
            let next = try open.pushHolds.shift(place, provider, to: times)
            if isOnLease { leased[place] = next }
        }
        try open.turns.move(along: jump, to: leased, grace: open.options.grace, provider)
        if !moved.isEmpty { open.tellPush(provider, due: jump.now) }
    }

    package init(open: OpenTransaction, jump: ClockJump) {
        (self.open, self.jump) = (open, jump)
    }
}
