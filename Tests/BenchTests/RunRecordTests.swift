import Testing
import Transport

@testable import Bench

struct RunRecordTests {
    private static let second: Int64 = 1_000_000_000

    private func plan(inFlight: Int? = nil) throws -> BenchPlan {
        var plan = BenchPlan(name: "fanout", duration: .seconds(10))
        plan.sessions = SessionPlan(
            url: "ws://127.0.0.1:1/", speech: .belfry(feed: "news", confirmsAcks: false), indices: 0..<10)
        let publication = HTTPPublication(
            address: .unix(path: "/tmp/none"), host: "localhost", path: try Template("/"), body: try Template("{{now}}")
        )
        var stream = PublishPlan(
            name: "feed", audience: .everybody, carrier: .requests(publication), userPrefix: "bench-")
        stream.inFlight = inFlight
        plan.streams = [stream]
        return plan
    }

    private func counts(frames: Int, ready: Int = 10) -> SessionCounts {
        var counts = SessionCounts()
        counts.ready = ready
        counts.frames[0] = frames
        return counts
    }

    private func tally(sent: Int) -> PublishTally {
        var tally = PublishTally()
        (tally.sent, tally.accepted) = (sent, sent)
        return tally
    }

    private func result(_ record: RunRecord, _ counts: SessionCounts, _ tally: PublishTally) -> BenchResult {
        record.ended(counts, SessionTally(), [tally], pushes: nil, at: BenchClock.now)
        return record.result(version: "1", wasInterrupted: false)
    }

    @Test func `a run that waits for lost frames and sends nothing any more has stalled, after ten seconds`() throws {
        let record = RunRecord(try plan(inFlight: 2), server: nil, before: nil, workers: [])
        record.began(at: 0, ready: 10)
        for moment in [1, 4, 11] as [Int64] {
            record.checkStall(counts(frames: 50), [tally(sent: 7)], at: moment * Self.second)
            #expect(!record.hasStalled)
        }
        record.checkStall(counts(frames: 50), [tally(sent: 7)], at: 12 * Self.second)
        #expect(record.hasStalled)
        record.finishedPublishing(at: 12 * Self.second)
        let result = result(record, counts(frames: 50), tally(sent: 7))
        #expect(result.notes.contains { $0.contains("ended early") })
        #expect(result.hasStalled && !result.isWell)
        // Of the second in which something left.
        #expect(result.streams[0].acceptedPerSecond == 7)
    }

    @Test func `a run that goes on, with frames or with other publications, has not stalled`() throws {
        let record = RunRecord(try plan(inFlight: 2), server: nil, before: nil, workers: [])
        record.began(at: 0, ready: 10)
        for turn in 1...20 {
            record.checkStall(
                counts(frames: 50 + turn / 2), [tally(sent: 7 + (turn + 1) / 2)], at: Int64(turn) * 6 * Self.second)
            #expect(!record.hasStalled)
        }
    }

    @Test(arguments: [
        (nil, 50, 0), (2, 70, 0),  // nothing waits for frames; all of them came, and the next is not due
        (2, 50, 1),  // a server that has not answered yet
        (3, 50, 0),  // one more may leave
    ])
    func `a run that waits for something else has not stalled`(_ inFlight: Int?, frames: Int, underway: Int) throws {
        let record = RunRecord(try plan(inFlight: inFlight), server: nil, before: nil, workers: [])
        record.began(at: 0, ready: 10)
        var tally = tally(sent: 7)
        tally.underway = underway
        for minute in 1...3 {
            record.checkStall(counts(frames: frames), [tally], at: Int64(minute) * 60 * Self.second)
            #expect(!record.hasStalled)
        }
    }

    /// A server that answers in no time, and takes nothing more for the second half.
    @Test func `unsent and unanswered publications are in the times with as long as they waited`() throws {
        let record = RunRecord(try plan(), server: nil, before: nil, workers: [])
        record.began(at: BenchClock.now, ready: 10)
        var tally = tally(sent: 51)
        tally.accepted = 50
        tally.waiting = 49
        for _ in 0..<50 { tally.answers.record(1_000_000) }
        for wait in 1...49 { tally.waits.record(Int64(wait) * 1_000_000_000) }
        tally.silences.record(60 * Self.second)
        var times = SessionTally()
        for _ in 0..<500 { times.deliveries[0, default: Latencies()].record(1_000_000) }
        record.ended(counts(frames: 500), times, [tally], pushes: nil, at: BenchClock.now)
        let stream = record.result(version: "1", wasInterrupted: false).streams[0]
        let (answer, delivery) = (try #require(stream.answer), try #require(stream.delivery))
        #expect((answer.count, delivery.count) == (100, 990))
        #expect(answer.p50 < 1_100 && answer.p90 > 38_000 && answer.maximum > 59_000)
        #expect(delivery.p90 > 38_000 && delivery.maximum < 51_000)
    }

    @Test func `a worker that ended is told, and its sessions' frames have to come as well`() throws {
        let record = RunRecord(try plan(), server: nil, before: nil, workers: [])
        record.began(at: BenchClock.now, ready: 10)
        let lost = RemoteSessions.lost(counts(frames: 50), of: 10)
        let result = result(record, lost, tally(sent: 7))
        #expect(result.streams[0].lostFrames == 20)
        #expect(result.notes.contains("A worker process has ended by itself: no time tells of its 10 sessions."))
        #expect(!result.isWell)
    }
}
