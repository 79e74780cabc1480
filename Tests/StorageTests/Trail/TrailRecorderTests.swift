import Inbox
import Testing

@testable import Storage

struct TrailRecorderTests {
    private static let now = Timestamp(milliseconds: 0)

    private static func use(of event: String) -> KeyTable.Use {
        KeyTable.Use(fingerprint: 7, event: event, recipients: 1, created: 1, updated: 0, suppressed: 0)
    }

    /// With few events keys are looked through, with many they are hashed.
    @Test(arguments: [3, 100])
    func `tells the last event that a publisher's key stands for, however many came`(_ eventCount: Int) {
        var recorder = TrailRecorder()
        for number in 0..<eventCount {
            for publisher in ["app", "other"] {
                let event = "\(publisher)-\(number)"
                recorder.begin(
                    Event(type: "said", key: "key-\(number % 40)"), id: event, by: publisher, at: Self.now,
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

    @Test func `knows nothing of a transaction that is over`() {
        var recorder = TrailRecorder()
        for round in 0..<2 {
            #expect(recorder.use(of: "key-30", by: "app") == nil)
            for number in 0..<40 {
                let event = "\(round)-\(number)"
                recorder.begin(
                    Event(type: "said", key: "key-\(number)"), id: event, by: "app", at: Self.now, keepsData: false)
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
}
