/// Marks of the pushes that devices show. An accepted push leaves a mark until its notification is read or removed.
package protocol PushMarkRows: AnyObject {
    /// A device's marks, in the order in which they came. Those that cannot be read go, as if the device showed nothing:
    /// they are no reason to keep others' pushes back.
    func marks(device: Int64) throws -> [PushMark]

    /// Adds marks of notifications that have none on the device.
    func add(_ marks: [PushMark], device: Int64) throws
    /// Adds one mark to each of several devices, of notifications that have none there.
    func add(_ marks: [(device: Int64, mark: PushMark)]) throws
    /// Writes all marks of a device; none: it shows nothing.
    func write(_ marks: [PushMark], device: Int64) throws
}

extension PushMarkRows {
    package func mark(device: Int64, notification: Int64) throws -> PushMark? {
        try marks(device: device).first { $0.notification == notification }
    }

    package func add(_ mark: PushMark, device: Int64) throws { try add([mark], device: device) }

    /// Adds a mark, or replaces the notification's earlier one, whose time stays.
    package func put(_ mark: PushMark, device: Int64) throws {
        var marks = try marks(device: device)
        guard let place = marks.firstIndex(where: { $0.notification == mark.notification }) else {
            return try add(mark, device: device)
        }
        let time = marks[place].sentAt
        marks[place] = mark
        marks[place].sentAt = time ?? mark.sentAt
        try write(marks, device: device)
    }

    /// Removes and returns the marks of these notifications.
    package func take(_ notifications: Set<Int64>, device: Int64) throws -> [PushMark] {
        let marks = try marks(device: device)
        let taken = marks.filter { notifications.contains($0.notification) }
        if !taken.isEmpty {
            try write(marks.filter { !notifications.contains($0.notification) }, device: device)
        }
        return taken
    }

    /// Removes and returns all but the newest marks up to a notification: people do not look so far down a screen.
    package func trim(device: Int64, upTo notification: Int64, keeping count: Int) throws -> [PushMark] {
        let marks = try marks(device: device)
        // Separately, as push-only notifications, which are never read, must not displace those of the inbox.
        let isPushOnly = PushOnlyNumber.isOne(notification)
        let kept = isPushOnly ? min(count, PushMark.pushOnlyKept) : count
        // Most devices show fewer.
        guard marks.count > kept else { return [] }
        let notifications = marks.map(\.notification)
            .filter { $0 <= notification && PushOnlyNumber.isOne($0) == isPushOnly }.sorted()
        return try take(Set(notifications.dropLast(kept)), device: device)
    }

    /// Removes and returns all marks of a device.
    package func takeAll(device: Int64) throws -> [PushMark] {
        let marks = try marks(device: device)
        if !marks.isEmpty { try write([], device: device) }
        return marks
    }
}
