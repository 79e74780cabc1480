import Inbox
import Push

extension PushWriter {
    /// Pushes were cancelled: those that no device got leave their places in the hour to others.
    ///
    /// When unsure a place stays taken: then the next push comes at the hour's end, and not twice within one.
    /// - Parameters:
    ///   - cancelled: all that went by one cause, whatever their devices.
    ///   - shown: the notifications that devices showed until then.
    func giveBack(_ cancelled: [PacedPush], shown: Set<Int64>, in inbox: Int64) throws {
        if cancelled.isEmpty { return }
        let left = shown.union(cancelled.lazy.filter(\.mayHaveLeft).map(\.notification))
        var judged: Set<PacedPush.Place> = []
        // Those that were to leave as one have one place.
        for place in cancelled.lazy.filter({ !$0.mayHaveLeft }).map(\.place) where judged.insert(place).inserted {
            let notifications = Set(cancelled.lazy.filter { $0.place == place }.map(\.notification))
            guard left.isDisjoint(with: notifications), try !isTaken(place, by: notifications, inbox: inbox),
                var pace = try open.pushPaces.pace(inbox: inbox, foldKey: place.foldKey.text)
            else { continue }
            pace.giveBack(place.due)
            if pace.isUnused {
                try open.pushPaces.remove(inbox: inbox, foldKey: place.foldKey.text)
            } else {
                try open.pushPaces.write(pace, inbox: inbox, foldKey: place.foldKey.text)
            }
        }
    }

    /// Whether a device shows a push of these notifications, or one is to get another push in the same place.
    private func isTaken(_ place: PacedPush.Place, by notifications: Set<Int64>, inbox: Int64) throws -> Bool {
        try open.devices.records(inbox: inbox).contains { device in
            if try open.pushMarks.marks(device: device.row).contains(where: { notifications.contains($0.notification) })
            {
                return true
            }
            return try open.pushFolds.foldable(
                device: device.row, device.device.provider, key: place.foldKey.text, at: place.due, withShown: true
            ).contains { $0.position.availableAt == place.due }
        }
    }
}
