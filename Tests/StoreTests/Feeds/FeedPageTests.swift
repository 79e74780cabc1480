import Inbox
import Store
import Testing

struct FeedPageTests {
    @Test(
        arguments: [
            (50, [5, 6, 7, 8, 9]), (49, [6, 7, 8, 9]), (29, [8, 9]), (10, [9]), (9, [9]), (-1, [9]),
        ] as [(Int, [Int64])])
    func `of a page too large for a reader the newest items are sent, and one in any case`(
        _ bytes: Int, _ expected: [Int64]
    ) {
        let items = (5...9).map {
            FeedPage.Item(
                offset: $0, publishedAt: Timestamp(milliseconds: 0), json: [UInt8](repeating: 0x20, count: 10))
        }
        let page = FeedPage(
            items: items, head: FeedPosition(epoch: "e", offset: 9), end: 9, hasOlder: false, isRecovered: true)
        #expect(page.newest(maximumBytes: bytes).map(\.offset) == expected)
    }

    @Test func `an empty page has no newest items`() {
        let page = FeedPage(
            items: [], head: FeedPosition(epoch: "e", offset: 0), end: 0, hasOlder: false, isRecovered: true)
        #expect(page.newest(maximumBytes: 50).isEmpty)
    }
}
