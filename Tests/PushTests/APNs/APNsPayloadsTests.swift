import Inbox
import JSON
import Push
import Testing

/// Payloads of many pushes that say the same, against those that are made one by one.
struct APNsPayloadsTests {
    /// To one device of several, all with a badge and a place in their inbox of their own.
    private func message(_ shared: SharedPushContent?, _ number: Int64, epoch: String = "e1") -> PushMessage {
        PushMessage(
            shared: shared, badge: number, notification: NotificationID(inbox: 7 + number, sequence: 1 + 40 * number),
            rev: 1 + number, collapseID: "n", position: PushMessage.Position(epoch: epoch, seq: 1_000 * number),
            expiry: now + .seconds(60))
    }

    private func wake() -> PushContent {
        var content = content(title: "", body: "")
        content.wakesApp = true
        return content
    }

    private var contents: [PushContent] {
        var large = content(body: String(repeating: "\u{e9}\"\\", count: 2_000))
        large.image = "https://pictures.example/1.jpg"
        // Of which some have room for a number more, and some have not.
        let nearlyFull = (3_700...3_800).map { content(body: String(repeating: "x", count: $0)) }
        return [content(), fullContent(), content(urgency: .low, data: [:]), wake(), large] + nearlyFull
    }

    private func payload(_ message: PushMessage, by payloads: inout APNsPayloads) -> [UInt8] {
        // Behind what is there already.
        var bytes: [UInt8] = [7]
        payloads.write(message, to: &bytes)
        return Array(bytes.dropFirst())
    }

    @Test func `each payload is the same as alone`() {
        var payloads = APNsPayloads()
        for content in contents {
            let shared = SharedPushContent(content)
            for number in [0, 1, 9, 10, 12_345, .max / 40_000] as [Int64] {
                let message = message(shared, number)
                #expect(payload(message, by: &payloads) == APNsPayload(message).bytes)
            }
        }
    }

    @Test(arguments: ["", "\u{7f}\u{e9}", "a\"b", "a\\b", "\n"])
    func `any epoch is written as a JSON string`(epoch: String) {
        var payloads = APNsPayloads()
        let shared = SharedPushContent(content())
        for number in 1...3 as ClosedRange<Int64> {
            let message = message(shared, number, epoch: epoch)
            #expect(payload(message, by: &payloads) == APNsPayload(message).bytes)
        }
    }

    @Test func `one that says more than its content is made by itself, whatever came before`() {
        var payloads = APNsPayloads()
        let shared = SharedPushContent(fullContent())
        for number in 1...3 as ClosedRange<Int64> {
            let plain = message(shared, number)
            var folded = plain
            folded.count = 4
            var grouped = plain
            grouped.group = PushMessage.Group(count: 3, text: "3 new photos")
            var withdrawing = plain
            withdrawing.withdrawn = ["n1-1"]
            var test = plain
            test.notification = nil
            for message in [folded, plain, grouped, withdrawing, test, badgeOnly(badge: number), plain] {
                #expect(payload(message, by: &payloads) == APNsPayload(message).bytes)
            }
        }
    }

    @Test func `more contents than are remembered keep their own words`() {
        var payloads = APNsPayloads()
        let contents = (0..<100).map { SharedPushContent(content(title: "Room \($0)")) }
        for number in 1...3 as ClosedRange<Int64> {
            for shared in contents {
                let message = message(shared, number)
                #expect(payload(message, by: &payloads) == APNsPayload(message).bytes)
            }
        }
    }
}
