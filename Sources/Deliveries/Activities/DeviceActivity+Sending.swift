package import Inbox
package import Push

extension DeviceActivity {
    /// How many pushes a device's system takes within an hour.
    package struct Limits: Sendable, Hashable {
        package var starts: Int
        package var pressing: Int

        package init(starts: Int, pressing: Int) { (self.starts, self.pressing) = (starts, pressing) }
    }

    /// A push to send, and the number that its outcome names.
    package struct Leased: Sendable, Hashable {
        package let number: Int64
        package let push: ActivityPush
    }

    /// Services' words for a token that they no longer know; a 410 says the same (Apple, "Handling notification responses
    /// from APNs").
    private static let tokenReasons: Set = ["BadDeviceToken", "ExpiredToken", "Unregistered"]

    /// Hands out the push that is due; nil if none is. An earlier push without an outcome by now has lost its answer.
    package mutating func lease(
        on device: inout ActivityDevice, _ limits: Limits, at now: Timestamp, until end: Timestamp
    ) -> (push: Leased?, notes: [Note]) {
        guard let due, due <= now else { return (nil, []) }
        var notes: [Note] = []
        if let lost = sending {
            notes += putBack(lost, mayHaveArrived: true)
            if isUncertain {
                self.due = now + Self.tokenWait
                return (nil, notes)
            }
        }
        notes += endIfTooOld(at: now)
        guard let change = waiting else {
            self.due = nil
            return (nil, notes)
        }
        guard now < change.expiry else { return (nil, notes + drop(change, .dropped(.expired))) }
        switch phase {
        case .begun, .over:
            self.due = nil
            return (nil, notes)
        case .absent:
            guard let type = change.content.beginning?.type, let token = device.types[type] else {
                return (nil, notes + drop(change, .dropped(.noStartToken)))
            }
            // A repeated try is no further start.
            guard failures > 0 || isUncertain || device.starts.take(limits.starts, at: now) else {
                return (nil, notes + drop(change, .dropped(.startBudget)))
            }
            return (send(change, as: .start, to: token, isLowered: false, at: now, until: end), notes)
        case .running(let token, _):
            let isLowered =
                change.content.priority == .high && failures == 0 && !device.pressing.take(limits.pressing, at: now)
            let event: ActivityContent.Event = change.content.event == .end ? .end : .update
            return (send(change, as: event, to: token, isLowered: isLowered, at: now, until: end), notes)
        }
    }

    private mutating func send(
        _ change: Change, as event: ActivityContent.Event, to token: String?, isLowered: Bool, at now: Timestamp,
        until end: Timestamp
    ) -> Leased {
        told = max(told + 1, now.milliseconds / 1_000)
        number += 1
        sending = Sending(number: number, change: change, event: event, token: token, isLowered: isLowered)
        (waiting, due) = (nil, end)
        var content = change.content
        content.event = event
        if event != .start { content.beginning = nil }
        return Leased(
            number: number,
            push: ActivityPush(
                content: content, token: token, timestamp: told,
                isPressing: content.priority == .high && !isLowered, expiry: change.expiry))
    }

    /// Takes in the service's verdict on a push. One that is not under way any more changes nothing.
    ///
    /// - Parameter jitter: uniform in `0..<1`.
    package mutating func settle(
        _ number: Int64, _ verdict: Verdict, on device: inout ActivityDevice, at now: Timestamp, jitter: Double
    ) -> [Note] {
        guard let sent = sending, sent.number == number else { return [] }
        switch verdict {
        case .accepted: return accepted(sent, at: now)
        case .deviceGone: return lostToken(sent, on: &device, at: now)
        case .refused(let reason) where Self.tokenReasons.contains(reason):
            return lostToken(sent, on: &device, at: now)
        case .refused(let reason):
            sending = nil
            return note(sent.change, .refused(reason: reason)) + goOn(at: now)
        case .busy(let told, _, let cause):
            let notes = putBack(sent, mayHaveArrived: cause?.obstacle == .connection)
            failures += 1
            guard let change = waiting else {
                due = nil
                return notes
            }
            if case .begun = phase {
                due = nil
                return notes
            }
            var delay = told.map { max($0, .seconds(1)) } ?? Backoff.delay(afterFailures: failures, jitter: jitter)
            if isUncertain { delay = max(delay, Self.tokenWait) }
            let next = now + delay
            guard next < change.expiry else { return notes + drop(change, .dropped(.expired)) }
            due = next
            return notes
        }
    }

    private mutating func accepted(_ sent: Sending, at now: Timestamp) -> [Note] {
        (sending, failures, isUncertain) = (nil, 0, false)
        switch (sent.event, phase) {
        case (.start, .absent): phase = sent.token == nil ? .running(token: nil, since: now) : .begun(at: now)
        case (.end, .begun), (.end, .running): phase = .over(since: now)
        // The app was faster than the service's answer, or has ended it since.
        case (.start, _), (.update, _), (.end, _): break
        }
        return note(sent.change, .sent(sent.event, isLowered: sent.isLowered)) + goOn(at: now)
    }

    /// The token is dead, not the device: its app is there as long as its own token is.
    private mutating func lostToken(_ sent: Sending, on device: inout ActivityDevice, at now: Timestamp) -> [Note] {
        sending = nil
        let notes = note(sent.change, .dropped(.tokenGone))
        guard sent.event == .start else {
            // Of a rotated token, the app has sent the next one by now.
            if case .running(let token, _) = phase, token != sent.token {
                waiting = waiting ?? sent.change
                plan(at: now)
                return []
            }
            return notes + finish(.tokenGone, at: now)
        }
        if let type = sent.change.content.beginning?.type, device.types[type] == sent.token {
            device.types[type] = nil
        }
        return notes + goOn(at: now)
    }

    /// Goes on with what came while a push was under way.
    private mutating func goOn(at now: Timestamp) -> [Note] {
        guard let change = waiting else {
            due = nil
            return []
        }
        switch (phase, change.content.event) {
        case (.over, .start): phase = .absent
        case (.over, _): return drop(change, .dropped(.over))
        case (.absent, .update), (.absent, .end): return drop(change, .dropped(.notRunning))
        case (.begun, _):
            due = nil
            return note(change, .waits)
        case (.absent, .start), (.running, _): break
        }
        plan(at: now)
        return []
    }

    /// Has a push that did not get through wait again, with what came meanwhile.
    private mutating func putBack(_ sent: Sending, mayHaveArrived: Bool) -> [Note] {
        let newer = waiting
        (sending, waiting) = (nil, sent.change)
        if mayHaveArrived, sent.event == .start, phase == .absent { isUncertain = true }
        return newer.map { merge($0) } ?? []
    }

    private mutating func drop(_ change: Change, _ became: TrailActivity) -> [Note] {
        (waiting, due, failures, isUncertain) = (nil, nil, 0, false)
        return note(change, became)
    }
}
