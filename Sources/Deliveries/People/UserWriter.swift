package import Inbox

/// Stores what is known about people.
package struct UserWriter {
    package let open: OpenTransaction
    package let now: Timestamp

    package func write(_ profile: UserProfile, of user: UserID) throws {
        var inbox = try open.inbox(of: user)
        try open.write(profile, inbox: inbox.id)
        try keep(profile, device: inbox.person?.device ?? Reader(), in: &inbox, of: user)
    }

    /// Notes the locale and zone of a newly registered device; values it does not give stay as they were.
    package func note(_ device: Reader, of user: UserID) throws {
        var inbox = try open.inbox(of: user)
        let known = inbox.person?.device ?? Reader()
        let next = Reader(locale: device.locale ?? known.locale, zone: device.zone ?? known.zone)
        guard next != known else { return }
        try open.write(device: next, inbox: inbox.id)
        try keep(inbox.person?.profile ?? UserProfile(), device: next, in: &inbox, of: user)
    }

    private func keep(
        _ profile: UserProfile, device: Reader, in inbox: inout InboxRecord, of user: UserID
    ) throws {
        let zone = inbox.person?.reader.zone
        let person = Person(settings: inbox.person?.settings ?? UserSettings(), profile: profile, device: device)
        inbox.person = person
        try open.keep(inbox, of: user)
        // Quiet hours are hours of the zone.
        if person.reader.zone != zone { try PushWriter(open: open).replan(inbox, at: now) }
    }

    package init(open: OpenTransaction, now: Timestamp) {
        (self.open, self.now) = (open, now)
    }
}
