import Transport

/// Publications over one HTTP/1.1 connection: one request at a time, or lines of one endless request.
final class HTTPLane: PublishLane, ConnectionHandler {
    private static let pauseBeforeReconnecting = Duration.milliseconds(100)
    /// The most bytes that may wait for a server that does not read.
    private static let maximumBacklog = 1 << 20

    private unowned let publisher: ShardPublisher
    private let publication: HTTPPublication
    private let isStream: Bool
    /// The most publications that may wait for an answer.
    private let capacity: Int
    private var connection: Connection?
    private var reader: AnswerReader
    /// The due times of unanswered publications, oldest first.
    private(set) var underway: [Int64] = []
    private var hasBegun = false
    private var isOver = false

    /// - Parameter capacity: 1 for requests; for a stream, the number of lines that may wait for an answer.
    init(_ publication: HTTPPublication, isStream: Bool, capacity: Int, publisher: ShardPublisher) {
        self.publication = publication
        self.isStream = isStream
        self.capacity = capacity
        self.publisher = publisher
        reader = AnswerReader(isStream: isStream)
    }

    var hasRoom: Bool {
        guard let connection else { return false }
        return underway.count < capacity && connection.backlog < Self.maximumBacklog
    }

    func connect(_ on: borrowing OnShard) {
        guard !isOver else { return }
        do throws(SystemCallError) {
            let descriptor = try ConnectingSocket.open(publication.address)
            reader = AnswerReader(isStream: isStream)
            hasBegun = false
            connection = try Connection(descriptor: descriptor, on: on) { _ in self }
        } catch {
            publisher.connectionFailed("\(error)")
            reconnectLater(on)
        }
    }

    private func reconnectLater(_ on: borrowing OnShard) {
        on.shard.schedule(at: on.now + Self.pauseBeforeReconnecting, on) { [self] on in
            // The publisher exists only during the run.
            guard !isOver else { return }
            connect(on)
            publisher.step(on)
        }
    }

    func send(_ values: Template.Values, _ on: borrowing OnShard) {
        underway.append(values.marker.due)
        guard isStream else {
            connection?.send(publication.request(values), on)
            return
        }
        if !hasBegun { connection?.send(publication.streamHead(values), on) }
        hasBegun = true
        connection?.send(publication.line(values), on)
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        reader.append(UnsafeRawBufferPointer(bytes))
        do throws(AnswerReader.Malformed) {
            while let event = try reader.next() {
                switch event {
                case .line(let refusal): settle(refusal)
                case .answer(let status, let problem):
                    let told = "status \(status)\(problem.map { ", \($0)" } ?? "")"
                    if isStream { return fail("the stream was ended with \(told)", on) }
                    settle((200..<300).contains(status) ? nil : told)
                }
            }
        } catch {
            return fail("the answer was no HTTP/1.1 that this tool reads", on)
        }
        publisher.step(on)
    }

    /// - Parameter refusal: nil for an accepted publication.
    private func settle(_ refusal: String?) {
        guard !underway.isEmpty else { return }
        publisher.answered(dueAt: underway.removeFirst(), refusal: refusal)
    }

    private func fail(_ reason: String, _ on: borrowing OnShard) {
        while !underway.isEmpty { settle(reason) }
        connection?.close(on)
    }

    func end(_ on: borrowing OnShard) {
        isOver = true
        connection?.close(on)
    }

    func closed(_ on: borrowing OnShard) {
        connection = nil
        guard !isOver else { return }
        while !underway.isEmpty { settle("the connection was closed before the answer") }
        reconnectLater(on)
    }

    func peerFinished(_ on: borrowing OnShard) { connection?.close(on) }
    func deadlineReached(_ on: borrowing OnShard) {}
    func outputBlocked(_ on: borrowing OnShard) {}
    func outputDrained(_ on: borrowing OnShard) {
        if !isOver { publisher.step(on) }
    }
}
