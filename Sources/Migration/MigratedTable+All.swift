/// What is copied. These are left out, and an engine makes them anew:
///
/// - what nodes tell each other, and their leases;
/// - the order in which devices get their pushes, and the stretches of read notifications;
/// - the last process' clock reading: pushes leave at their time by the clock of their new place.
extension MigratedTable {
    package static let all = inboxes + people + pushes + feeds + trail + webhooks + questions + activities

    /// Feeds without an item yet make their epochs from its one row. Written when a migration begins, so it also tells
    /// which store is copied.
    package static let epoch = MigratedTable("store_epoch", key: ["epoch"], texts: ["epoch"])

    private static let inboxes = [
        MigratedTable(
            "inbox", key: ["id"], numbers: ["id", "seq", "unread", "unseen", "total", "devices"],
            texts: ["user", "epoch", "settings", "profile", "email", "device_locale", "device_zone", "app"]),
        MigratedTable("erasure", key: ["inbox"], numbers: ["inbox"]),
        MigratedTable(
            "content", key: ["id"], numbers: ["id", "uses"], texts: ["event", "type"],
            octets: ["text", "actor", "group_name"], bytes: ["body", "batch", "push", "group_text"]),
        MigratedTable(
            "notification", key: ["inbox", "id"],
            numbers: [
                "inbox", "id", "content", "created_at", "stored_at", "rev", "seq", "unread_after", "unseen_after",
                "place", "type_mark", "group_mark", "fresh",
            ], truths: ["is_read", "is_seen"], texts: ["fresh_from"], octets: ["batch_key"]),
        MigratedTable(
            "push_only", key: ["inbox", "id"],
            numbers: ["inbox", "id", "content", "created_at", "stored_at", "rev"], octets: ["batch_key"]),
        MigratedTable(
            "change", key: ["inbox", "seq"],
            numbers: ["inbox", "seq", "kind", "reference", "place", "unread", "unseen", "delta"], texts: ["ids"]),
    ]

    private static let people = [
        MigratedTable("revocation", key: ["user"], numbers: ["issued_before"], texts: ["user"]),
        MigratedTable("topic", key: ["id"], numbers: ["id"], texts: ["name", "replacement"]),
        MigratedTable("topic_member", key: ["topic", "inbox"], numbers: ["topic", "inbox"]),
        MigratedTable(
            "device", key: ["row"],
            numbers: ["row", "inbox", "registered_at", "last_seen_at", "badge", "registrar", "expires_at"],
            texts: [
                "app", "id", "provider", "token", "platform", "environment", "locale", "zone", "permission",
                "badge_rule", "scope",
            ], bytes: ["p256dh", "auth"]),
    ]

    private static let pushes = [
        MigratedTable(
            "push_job", key: ["device", "notification"],
            numbers: [
                "device", "notification", "provider", "due", "turn", "failures", "expiry", "fold", "seq", "deadline",
                "held_from", "content",
            ], truths: ["is_fallback", "is_shown"], texts: ["collapse", "withdrawn", "shown_as"],
            octets: ["fold_key"]),
        MigratedTable("push_mark", key: ["device"], numbers: ["device"], bytes: ["marks"]),
        MigratedTable(
            "push_pace", key: ["inbox", "fold_key"], numbers: ["inbox", "start", "count", "ends_at"],
            truths: ["has_waiting"], octets: ["fold_key"]),
    ]

    private static let feeds = [
        MigratedTable("feed", key: ["id"], numbers: ["id", "trimmed"], texts: ["name", "epoch"]),
        MigratedTable(
            "feed_item", key: ["feed", "offset"], numbers: ["feed", "offset", "published_at", "other", "other_at"],
            texts: ["author", "item_id"], bytes: ["json"]),
        MigratedTable("feed_tag", key: ["feed", "tag", "offset"], numbers: ["feed", "offset"], texts: ["tag"]),
        MigratedTable(
            "feed_change", key: ["feed", "offset"], numbers: ["feed", "offset", "published_at", "target"],
            truths: ["is_removal"], texts: ["item_id", "tags"]),
        MigratedTable("feed_mark", key: ["inbox", "feed"], numbers: ["inbox", "feed", "viewed"]),
    ]

    private static let trail = [
        MigratedTable(
            "broadcast", key: ["id"],
            numbers: [
                "id", "after_inbox", "last_inbox", "total", "created", "updated", "suppressed", "accepted_at",
                "ended_at",
            ], texts: ["event", "publisher", "key", "everybody", "problem"], bytes: ["json"]),
        MigratedTable("broadcast_page", key: ["id"], numbers: ["id", "broadcast"], bytes: ["recipients"]),
        MigratedTable("broadcast_known", key: ["broadcast", "inbox"], numbers: ["broadcast", "inbox"]),
        MigratedTable(
            "trail_event", key: ["event", "page"],
            numbers: [
                "page", "occurred_at", "accepted_at", "repeats", "repeated_at", "retracted", "retracted_at",
                "fingerprint", "recipients", "created", "updated", "suppressed",
            ], texts: ["event", "publisher", "key", "type", "actor"], bytes: ["verdicts", "data"]),
        MigratedTable(
            "trail_step", key: ["number"], numbers: ["number", "inbox", "notification", "at", "place"],
            texts: ["kind", "detail", "provider", "device"]),
    ]

    private static let webhooks = [
        MigratedTable(
            "webhook", key: ["id"], numbers: ["inbox", "due", "buried_at", "failures"],
            texts: ["id", "endpoint", "reason"], bytes: ["body"])
    ]

    private static let questions = [
        MigratedTable(
            "question", key: ["inbox", "notification"], numbers: ["inbox", "notification", "answer_by"],
            texts: ["event", "fallback"])
    ]

    private static let activities = [
        MigratedTable("activity_device", key: ["device"], numbers: ["device"], bytes: ["state"]),
        MigratedTable(
            "activity", key: ["device", "key"], numbers: ["device", "inbox", "provider", "due", "ends_at"],
            truths: ["is_sending"], texts: ["key"], bytes: ["state"]),
    ]
}
