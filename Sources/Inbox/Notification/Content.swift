/// A notification's rendered content: the same bytes for every recipient, in every session, push and page.
///
/// Immutable. A batch that grows gets a new content; rows that were closed before keep the old one.
package final class Content: Sendable {
    /// The name of the notification type, as clients see it: `ELEMENT_ADDED`.
    package let type: String
    package let displayText: String
    /// The members behind `createdAt` as JSON without braces, in the order of the app's samples:
    /// `"actor":{…},"deepLink":{…},…,"thumbnails":[…],"batchCount":1`. Never empty.
    package let body: [UInt8]
    /// The batch so far; nil for a type that does not batch.
    package let batch: Batch?
    /// The push; nil for a type that never pushes, and if no recipient had a phone.
    package var push: PushContent? { sharedPush?.content }
    package let sharedPush: SharedPushContent?
    /// Lists can show notifications of one group as one line: `requests:round-7`. Also a member of ``body``.
    package let group: String?
    /// The text of that line: "3 new round requests".
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
