@testable import Postgres

/// Notifications and what became of their connection, as texts, one after the other.
final class Listener {
    private let notifications: PostgresNotifications
    private var events: AsyncStream<String>.Iterator

    init(_ address: PostgresAddress, _ options: PostgresOptions, channels: [String]) {
        let (events, sink) = AsyncStream.makeStream(of: String.self)
        self.events = events.makeAsyncIterator()
        notifications = PostgresNotifications(address, options, channels: channels) { event in
            switch event {
            case .listening: sink.yield("listening")
            case .lost: sink.yield("lost")
            case .received(let some): for one in some { sink.yield("\(one.channel): \(one.payload)") }
            }
        }
        notifications.start()
    }

    func next(isolation: isolated (any Actor)? = #isolation) async -> String? {
        await events.next(isolation: isolation)
    }

    func stop() { notifications.stop() }
}
