/// What a session told all that listen.
package struct PostgresNotification: Hashable, Sendable {
    package let channel: String
    package let payload: String

    package init(channel: String, payload: String) { (self.channel, self.payload) = (channel, payload) }
}
