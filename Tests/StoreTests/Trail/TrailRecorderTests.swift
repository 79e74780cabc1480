import Inbox
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct TrailRecorderTests {
    private static let now = Timestamp(milliseconds: 0)

    private static func use(of event: String) -> KeyUse {
        KeyUse(fingerprint: 7, event: event, recipients: 1, created: 1, updated: 0, suppressed: 0)
    }

    /// With few events keys are looked through, with many they are hashed.
    @Test(arguments: [3, 100])
    func `tells the last event that a publisher's key stands for, however many came`(_ eventCount: Int) {
        var recorder = TrailRecorder()
        for number in 0..<eventCount {
            for publisher in ["app", "other"] {
                let event = "\(publisher)-\(number)"
                recorder.begin(
                    Event(type: "said", key: "key-\(number % 40)"), of: nil, id: event, by: publisher, at: Self.now,
                    keepsData: false)
                // The last event of a key has none: what came before it still counts.
                if number < 80 { recorder.keep(Self.use(of: event), of: event) }
            }
            #expect(recorder.use(of: "key-\(number % 40)", by: "nobody") == nil)
        }
        for publisher in ["app", "other"] {
            let last = eventCount == 3 ? 2 : 42
            #expect(recorder.use(of: "key-2", by: publisher)?.event == "\(publisher)-\(last)")
        }
        #expect(recorder.use(of: "key-40", by: "app") == nil)
    }

    @Test(arguments: [0, 30])
    func `tells keys apart whose digests are the same, however many came between`(_ between: Int) {
        let keys = ["order-4711-paid!", "qoo2zxjb2QFrD3Ha"]
        #expect(ExactText(keys[0]).digest == ExactText(keys[1]).digest)
        var recorder = TrailRecorder()
        func begin(_ event: String, _ key: String) {
            recorder.begin(Event(type: "said", key: key), of: nil, id: event, by: "app", at: Self.now, keepsData: false)
            recorder.keep(Self.use(of: event), of: event)
        }
        begin("first", keys[0])
        for number in 0..<between { begin("event-\(number)", "key-\(number)") }
        #expect(recorder.use(of: keys[0], by: "app")?.event == "first")
        #expect(recorder.use(of: keys[1], by: "app") == nil)
        begin("second", keys[1])
        #expect(recorder.use(of: keys[0], by: "app")?.event == "first")
        #expect(recorder.use(of: keys[1], by: "app")?.event == "second")
        #expect(recorder.use(of: keys[1], by: "other") == nil)
    }

    @Test func `knows nothing of a transaction that is over`() {
        var recorder = TrailRecorder()
        for round in 0..<2 {
            #expect(recorder.use(of: "key-30", by: "app") == nil)
            for number in 0..<40 {
                let event = "\(round)-\(number)"
                recorder.begin(
                    Event(type: "said", key: "key-\(number)"), of: nil, id: event, by: "app", at: Self.now,
                    keepsData: false)
                recorder.keep(Self.use(of: event), of: event)
                recorder.note(.isActor, of: event, toStranger: .ada)
            }
            #expect(recorder.use(of: "key-30", by: "app")?.event == "\(round)-30")
            #expect(recorder.gatherings.map(\.event) == (0..<40).map { "\(round)-\($0)" })
            #expect(recorder.gatherings.allSatisfy { $0.verdicts.groups.count == 1 })
            recorder.removeAll()
            #expect(recorder.gatherings.isEmpty)
        }
    }

    @Test(arguments: Part.allCases)
    func `keeps a commit's room for the next one, and gives much more than that back`(_ part: Part) {
        var recorder = TrailRecorder()
        for number in 0..<500 { part.append(number, to: &recorder) }
        let room = recorder.roomBytes
        recorder.removeAll()
        #expect(room > 0)
        #expect(recorder.roomBytes == room)
        for number in 0..<50_000 { part.append(number, to: &recorder) }
        #expect(recorder.roomBytes > TrailRecorder.mostSpared)
        recorder.removeAll()
        #expect(recorder.roomBytes == 0)
    }

    /// The parts of a transaction that may be many.
    enum Part: CaseIterable {
        case events, keys, steps, repeats, laterPages

        func append(_ number: Int, to recorder: inout TrailRecorder) {
            let event = "event-\(number)"
            switch self {
            case .events:
                recorder.begin(
                    Event(type: "said"), of: nil, id: event, by: "app", at: TrailRecorderTests.now, keepsData: false)
            case .keys:
                recorder.begin(
                    Event(type: "said", key: event), of: nil, id: event, by: "app", at: TrailRecorderTests.now,
                    keepsData: false)
                _ = recorder.use(of: event, by: "app")
            case .steps: recorder.note(.cancelled(.read), of: Int64(number), inbox: 1, at: TrailRecorderTests.now)
            case .repeats: recorder.noteRepeat(of: event, at: TrailRecorderTests.now)
            case .laterPages: recorder.note(.isActor, of: event, toStranger: .ada)
            }
        }
    }
}
