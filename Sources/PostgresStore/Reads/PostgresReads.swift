import Deliveries
import Postgres

/// The facts of one moment: of one transaction that repeats its reads.
struct PostgresReads: StoreReads {
    /// What the same tables tell a transaction.
    let rows: PostgresRows

    var inboxes: any InboxReads { PostgresInboxReads(rows) }
    var users: any UserReads { PostgresUserReads(rows) }
    var devices: any DeviceReads { PostgresDeviceReads(rows) }
    var topics: any TopicReads { PostgresTopicReads(rows) }
    var feeds: any FeedReads { PostgresFeedReads(rows) }
    var trail: any TrailReads { PostgresTrailReads(rows) }
    var broadcasts: any BroadcastReads { PostgresBroadcastReads(rows) }
    var webhooks: any WebhookReads { PostgresWebhookReads(rows) }
}
