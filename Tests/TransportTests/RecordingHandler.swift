@testable import Transport

/// Writes down what a connection tells, then does what the test wants done about it.
final class RecordingHandler: ConnectionHandler {
    enum Event: Hashable, Sendable {
        case received([UInt8])
        case peerFinished
        case deadlineReached
        case outputBlocked
        case outputDrained
        case closed
    }

    typealias Reaction = @Sendable (Event, Connection, borrowing OnShard) -> Void

    /// Closes when the peer does, and does nothing else.
    static let passive: Reaction = { event, connection, on in
        if event == .peerFinished { connection.close(on) }
    }

    /// Sends back what comes, and closes when the peer does.
    static let echo: Reaction = { event, connection, on in
        switch event {
        case .received(let bytes): connection.send(bytes, on)
        case .peerFinished: connection.close(on)
        case .deadlineReached, .outputBlocked, .outputDrained, .closed: break
        }
    }

    private let connection: Connection
    private let journal: Journal<Event>
    private let react: Reaction

    @discardableResult
    static func attach(
        _ descriptor: Int32, tls: TLSContext? = nil, _ journal: Journal<Event>, _ on: borrowing OnShard,
        react: @escaping Reaction
    ) throws -> Connection {
        try Connection(descriptor: descriptor, tls: tls, on: on) { RecordingHandler($0, journal, react) }
    }

    init(_ connection: Connection, _ journal: Journal<Event>, _ react: @escaping Reaction) {
        self.connection = connection
        self.journal = journal
        self.react = react
    }

    private func take(_ event: Event, _ on: borrowing OnShard) {
        journal.write(event)
        react(event, connection, on)
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) { take(.received(Array(bytes)), on) }
    func peerFinished(_ on: borrowing OnShard) { take(.peerFinished, on) }
    func deadlineReached(_ on: borrowing OnShard) { take(.deadlineReached, on) }
    func outputBlocked(_ on: borrowing OnShard) { take(.outputBlocked, on) }
    func outputDrained(_ on: borrowing OnShard) { take(.outputDrained, on) }
    func closed(_ on: borrowing OnShard) { take(.closed, on) }
}
