import Deliveries
import GRDB
import Store

/// The tables as reads ask for them, as of the snapshot that `db` is in.
struct SQLiteReads: StoreReads {
    let db: Database
    let store: SQLiteStore

    private var damage: DamageWatch { store.damage }

    var inboxes: any InboxReads { get throws { try InboxReader(db, store.contents, damage) } }
    var users: any UserReads { UserReader(db, damage) }
    var devices: any DeviceReads { DeviceReader(db, store.rules.providers, damage) }
    var topics: any TopicReads { TopicReader(db, damage) }
    var feeds: any FeedReads { FeedReader(db, damage) }
    var trail: any TrailReads {
        get throws { try TrailReader(db, store.pushJobs, store.rules.providers, damage) }
    }
    var broadcasts: any BroadcastReads { BroadcastReader(db, damage) }
}
