import Deliveries
import GRDB
import Push
import Store

/// The tables as reads ask for them, as of the snapshot that `db` is in.
struct SQLiteReads: StoreReads {
    let db: Database
    let providers: ProviderList
    let contents: ContentCache
    let jobs: PushJobIndex
    let damage: DamageWatch

    var inboxes: any InboxReads { get throws { try InboxReader(db, contents, damage) } }
    var users: any UserReads { UserReader(db, damage) }
    var devices: any DeviceReads { DeviceReader(db, providers, damage) }
    var topics: any TopicReads { TopicReader(db, damage) }
    var feeds: any FeedReads { FeedReader(db, damage) }
    var trail: any TrailReads {
        get throws { try TrailReader(db, jobs, providers, damage) }
    }
    var broadcasts: any BroadcastReads { BroadcastReader(db, damage) }
    var webhooks: any WebhookReads { WebhookReader(db, damage) }
}
