import Inbox
import Store

extension PrometheusText {
    mutating func store(_ reading: StoreReading) {
        gauge("belfry_store_waiting_rows", "Rows that wait to be written.", reading.waitingRows)
        gauge(
            "belfry_store_damaged_rows", "Damaged rows found since the start, which are left out; 1000 at most.",
            reading.damagedRows)
        if let bytes = reading.freeBytes {
            gauge("belfry_store_free_bytes", "Free bytes on the disk of the data folder.", Int(bytes))
        }
        if let commits = reading.commits {
            histogram(
                "belfry_store_commit_seconds", "How long a commit took, with the wait for the disk or the database.",
                commits)
        }
    }

    /// Writes the counts of the store's rows.
    mutating func counted(_ counts: StoreCounts) {
        gauge("belfry_inboxes", "Inboxes in the store.", Int(counts.inboxes))
        gauge("belfry_notifications", "Notifications in the store.", Int(counts.notifications))
        gauge("belfry_devices", "Devices that pushes go to.", Int(counts.devices))
        gauge(
            "belfry_unread_drift", "Sum over inboxes of |unread - unread rows|; anything but 0 is a defect.",
            Int(counts.unreadDrift))
        number(
            .gauge, "belfry_store_counted_timestamp_seconds",
            "When the count of inboxes, notifications, devices and drift began, since 1970.",
            Double(counts.began.milliseconds) / 1_000)
    }

    mutating func remembered(_ changes: RememberedChanges) {
        gauge(
            "belfry_remembered_changes", "Inbox changes that are kept in memory for clients that come back.",
            changes.changes)
        gauge(
            "belfry_remembered_change_bytes", "Memory for those changes and what they say; grows up to its limit.",
            changes.bytes)
    }
}
