/// What a notification says, rendered: the same bytes for every recipient, in every session, push and page.
///
/// Immutable. A batch that grows gets a new content; rows that were closed before keep the old one.
package final class Content: Sendable {
    /// The name of the notification type, as clients see it: `ELEMENT_ADDED`.
    package let type: String
    package let displayText: String
    /// The members behind `createdAt` as JSON without braces, in the order of the app's samples:
    /// `"actor":{…},"deepLink":{…},…,"thumbnails":[…],"batchCount":1`. Never empty.
    package let body: [UInt8]
    /// What the batch has gathered so far; nil for a type that does not batch.
    package let batch: Batch?
    /// What a phone shows; nil for a type that never pushes, and where nobody had a phone to show it on.
    package var push: PushContent? { sharedPush?.content }
    package let sharedPush: SharedPushContent?
    /// Notifications of one group can be shown as one line: `requests:round-7`. Also a member of ``body``.
    package let group: String?
    /// How that line reads: "3 new round requests".
    package let groupText: CountedText?

    package init(
        type: String, displayText: String, body: [UInt8], batch: Batch?, push: PushContent?, group: String? = nil,
        groupText: CountedText? = nil
    ) {
        self.type = type
        self.displayText = displayText
        self.body = body
        self.batch = batch
        sharedPush = push.map(SharedPushContent.init)
        self.group = group
        self.groupText = groupText
    }
}
