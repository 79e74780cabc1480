import Glibc
import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `POST /v1/events` with `application/x-ndjson`: an event a line, an answer a line, in order, while both flow.
///
/// Each line stands alone: a refused line is answered by a problem, and the stream goes on. Backpressure works by not
/// reading: only so many lines are under way, and none is read while the store has more than enough to do.
final class PublishStream: HTTPStreamHandler {
    /// The names for JSON lines; none is registered with the IANA (https://jsonlines.org,
    /// https://github.com/ndjson/ndjson-spec).
    private static let mediaTypes: Set<String> = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl",
        "application/jsonlines",
        "application/x-jsonlines", "application/json-lines", "text/x-ndjson", "text/ndjson", "text/jsonl",
        "text/jsonlines",
    ]

    static func reads(_ mediaType: String?) -> Bool {
        guard let mediaType, mediaType != "application/json" else { return false }
        return mediaTypes.contains(mediaType)
    }

    /// The refusal of a stream with one key for all of its events; nil for any other stream.
    static func refusal(of head: HTTPRequestHead) -> Problem? {
        do throws(Problem) {
            try IdempotencyKey.refuse(in: head, expecting: "each line of a stream has a key of its own")
            return nil
        } catch {
            return error
        }
    }

    private static let maximumUnderway = 512
    /// How often to check whether other publishers have made room.
    private static let roomInterval = Duration.milliseconds(20)
    /// With so many unread answer bytes, a publisher is not asked for more lines.
    private static let maximumRefusedBytes = 256 << 10

    /// The memory that is kept for the next line; an idle stream holds no more.
    private static let usualLineBytes = 4 << 10

    private let node: Node
    private let broadcaster: Broadcaster
    /// The app that the request names; nil if each event's type has to tell it.
    private let app: AppName?
    private let publisher: Publisher
    private var stream: HTTPStream?
    /// Of the request that opened the stream: each line is a child of its `traceparent`.
    private let headers: HTTPHeaders
    private var line: [UInt8] = []
    /// Its number, counted from 1, with the empty ones.
    private var lineNumber = 0
    /// Bytes that came beyond the publisher's quota, and wait for it.
    private var unread: [UInt8] = []
    /// Whether nothing more comes behind `unread` and `line`.
    private var isLastRead = false
    /// Whether nothing more is taken.
    private var bodyHasEnded = false
    /// The bytes of the lines that the store has not answered yet.
    private var bytesUnderway = 0
    private var awaitsRoom = false
    private var settlesAtEndOfTurn = false
    /// Answers in the order of their lines; nil for one that the store has not given yet.
    private var answers: [[UInt8]?] = []
    /// The number of the line at which `answers` begins.
    private var firstLine = 0

    init(node: Node, broadcaster: Broadcaster, publisher: Publisher, app: AppName?, headers: HTTPHeaders) {
        self.node = node
        self.broadcaster = broadcaster
        self.publisher = publisher
        self.app = app
        self.headers = headers
    }

    func opened(_ stream: HTTPStream, _ on: borrowing OnShard) {
        self.stream = stream
        var headers = HTTPHeaders()
        headers.add("Content-Type", "application/x-ndjson")
        stream.start(200, headers, on)
    }

    func received(_ bytes: [UInt8], _ on: borrowing OnShard) {
        guard !bodyHasEnded else { return }
        if unread.isEmpty { take(bytes, on) } else { unread += bytes }
        settle(on)
    }

    /// Takes lines as far as the publisher's quota reaches. A whole read beyond it would be a burst that others meet.
    private func take(_ bytes: [UInt8], _ on: borrowing OnShard) {
        var start = 0
        while let end = Self.lineEnd(in: bytes, from: start) {
            guard hasQuota else {
                unread = Array(bytes[start...])
                break
            }
            guard takeRoom(bytes[start..<end]) else { break }
            start = end + 1
            takeLine(on)
        }
        if unread.isEmpty, !bodyHasEnded { _ = takeRoom(bytes[start...]) }
        // For a line that does not end.
        if stream?.hold(line.count, on) == false { stream?.breakOff(on) }
    }

    /// Extends the line, unless it becomes too long: then the stream ends.
    private func takeRoom(_ bytes: ArraySlice<UInt8>) -> Bool {
        let limit = node.settings.limits.bodyBytes
        guard line.count + bytes.count <= limit else {
            line = []
            refuse(Problem(status: 413, code: "line_too_long", detail: "expected lines of at most \(limit) bytes"))
            bodyHasEnded = true
            return false
        }
        line.append(contentsOf: bytes)
        return true
    }

    func bodyEnded(_ on: borrowing OnShard) {
        guard !bodyHasEnded else { return }
        isLastRead = true
        settle(on)
    }

    func drained(_ on: borrowing OnShard) { settle(on) }

    func cancelled(_ on: borrowing OnShard) {
        stream = nil
        (line, unread) = ([], [])
    }

    private func takeLine(_ on: borrowing OnShard) {
        lineNumber += 1
        defer { line.removeAll(keepingCapacity: line.capacity <= Self.usualLineBytes) }
        guard !bodyHasEnded, line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }) else {
            return
        }
        guard node.isReady else {
            refuse(Problem(.closed))
            bodyHasEnded = true
            return
        }
        do throws(Problem) {
            let now = node.now()
            // A stream waits where a single publish is refused: it is read on when there is quota again.
            publisher.record?.takeAnyway(1, at: now)
            let json = try JSONBody.node(line, startingAt: lineNumber)
            let entry: Publication.Entry
            let owner: String
            do throws(Problem) {
                let app = try EventIntake.app(of: json, given: app, node)
                owner = app.key(publisher.name)
                entry = try EventIntake(node: node, app: app, publisher: publisher).entry(json, at: now)
            } catch {
                if error.status == 403 { throw error }
                return recall(
                    RefusedPublication(
                        node: node, broadcaster: broadcaster,
                        owners: (app.map { [$0] } ?? node.apps.candidates).map { $0.key(publisher.name) },
                        problem: error,
                        events: EventIntake.keyed(json)),
                    lineBytes: line.count)
            }
            publish(entry, by: owner, at: now, lineBytes: line.count, on)
        } catch {
            refuse(error)
        }
    }

    private func recall(_ refused: RefusedPublication, lineBytes: Int) {
        guard let reference = stream?.reference else { return }
        let (number, share) = (firstLine + answers.count, node.publishLoad.takeAnyway(lineBytes, by: publisher))
        let problem = refused.recall { result in
            let answer = Self.line { json in
                switch result {
                case .success(let outcomes):
                    for outcome in outcomes { EventIntake.write(outcome, of: nil, to: &json) }
                case .failure(let problem): problem.write(to: &json)
                }
            }
            reference.post { handler, on in
                share.end()
                (handler as? PublishStream)?.answered(number, answer, lineBytes: lineBytes, on)
            }
        }
        if let problem { return refuse(problem) }
        answers.append(nil)
        bytesUnderway += lineBytes
    }

    private func refuse(_ problem: Problem) { answers.append(Self.line { problem.write(to: &$0) }) }

    private func publish(
        _ entry: Publication.Entry, by owner: String, at now: Timestamp, lineBytes: Int, _ on: borrowing OnShard
    ) {
        let number = firstLine + answers.count
        answers.append(nil)
        guard let reference = stream?.reference else { return }
        bytesUnderway += lineBytes
        let (metrics, share) = (node.metrics, node.publishLoad.takeAnyway(lineBytes, by: publisher))
        let publication = Publication(publisher: owner, entries: [entry], now: now)
        let began = on.now
        let span = node.tracer.flatMap { PublishSpan($0, headers, isLine: true, began: began) }
        span?.takesIn(publication.entries)
        broadcaster.publish(publication) { result in
            metrics.publishLatency.record(ContinuousClock.now - began)
            span?.answered(result, publication.entries, status: 200)
            let answer = Self.line { json in
                switch result {
                case .success(let outcomes):
                    share.accepted(1)
                    metrics.published(1, in: entry.routed.event.app)
                    for outcome in outcomes { EventIntake.write(outcome, of: entry, to: &json) }
                case .failure(let error):
                    metrics.eventsRefused.add()
                    Problem(error).write(to: &json)
                }
            }
            reference.post { handler, on in
                share.end()
                (handler as? PublishStream)?.answered(number, answer, lineBytes: lineBytes, on)
            }
        }
    }

    private func answered(_ number: Int, _ answer: [UInt8], lineBytes: Int, _ on: borrowing OnShard) {
        guard answers.indices.contains(number - firstLine) else { return }
        bytesUnderway -= lineBytes
        answers[number - firstLine] = answer
        // One commit answers many lines, which are sent together.
        guard !settlesAtEndOfTurn else { return }
        settlesAtEndOfTurn = true
        on.shard.atEndOfTurn(on) { [self] on in
            settlesAtEndOfTurn = false
            settle(on)
        }
    }

    /// Takes lines that waited for the quota, and the last one.
    private func goOn(_ on: borrowing OnShard) {
        if !unread.isEmpty, hasQuota { take(exchange(&unread, with: []), on) }
        // A last line without a line's end waits for the quota, too.
        guard isLastRead, unread.isEmpty, !bodyHasEnded, line.isEmpty || hasQuota else { return }
        takeLine(on)
        bodyHasEnded = true
    }

    /// Sends the answers whose turn it is, and decides whether to read more lines.
    private func settle(_ on: borrowing OnShard) {
        goOn(on)
        guard let stream else { return }
        var ready: [UInt8] = []
        let count = answers.firstIndex(of: nil) ?? answers.count
        for case let answer? in answers[..<count] { ready.append(contentsOf: answer) }
        // All at once: one by one, a read full of short lines would cost the square of their number.
        answers.removeFirst(count)
        firstLine += count
        if !ready.isEmpty { stream.write(ready, on) }
        if bodyHasEnded && answers.isEmpty {
            self.stream = nil
            return stream.end(on)
        }
        let hasRoom =
            answers.count < Self.maximumUnderway && bytesUnderway < node.settings.limits.bodyBytes
            && stream.refusedBytes < Self.maximumRefusedBytes && !node.publishLoad.isFull(for: publisher)
            && storeHasRoom && unread.isEmpty && hasQuota && publisher.record?.hasRoom ?? true
        stream.setReading(hasRoom, on)
        if !hasRoom { awaitRoom(on) }
    }

    /// Half of the rows that may wait are left to single publishes, which cannot wait.
    private var storeHasRoom: Bool { node.store.waitingRows < node.store.maximumWaitingRows / 2 }

    /// A leaving node takes a line at once, which it refuses.
    private var hasQuota: Bool { !node.isReady || publisher.record?.hasQuota(at: node.now()) ?? true }

    /// Our own answers and the reader report when they make room; other publishers do not.
    private func awaitRoom(_ on: borrowing OnShard) {
        guard !awaitsRoom else { return }
        awaitsRoom = true
        on.shard.schedule(at: on.now + Self.roomInterval, on) { [weak self] on in
            self?.awaitsRoom = false
            self?.settle(on)
        }
    }

    private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let end = memchr(base + start, 0x0A, bytes.count - start) else {
                return nil
            }
            return UnsafeRawPointer(end) - base
        }
    }

    private static func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(capacity: 160)
        body(&json)
        json.endLine()
        return json.bytes
    }
}
