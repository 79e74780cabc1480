import Deliveries

/// The rows as reads ask for them.
struct MemoryReads: StoreReads {
    let memory: MemoryRows

    var inboxes: any InboxReads { MemoryInboxes(memory) }
    var users: any UserReads { MemoryPeople(memory) }
    var devices: any DeviceReads { MemoryPeople(memory) }
    var topics: any TopicReads { MemoryPeople(memory) }
    var feeds: any FeedReads { MemoryFeeds(memory) }
    var trail: any TrailReads { MemoryTrail(memory) }
    var broadcasts: any BroadcastReads { MemoryTrail(memory) }
    var webhooks: any WebhookReads { MemoryWebhooks(memory) }
}
