/// The facts that reads ask of an engine, all as of one moment.
///
/// A damaged row is left out and reported by the engine. Belongs to one read, and to the queue that it runs on.
package protocol StoreReads {
    var inboxes: any InboxReads { get throws }
    var users: any UserReads { get }
    var devices: any DeviceReads { get }
    var topics: any TopicReads { get }
    var feeds: any FeedReads { get }
    var trail: any TrailReads { get throws }
    var broadcasts: any BroadcastReads { get }
    var webhooks: any WebhookReads { get }
}
