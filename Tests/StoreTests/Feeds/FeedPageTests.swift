import Inbox
import Store
import Testing

struct FeedPageTests {
    private func page(_ offsets: ClosedRange<Int64>, hasOlder: Bool = false) -> FeedPage {
        let items = offsets.map {
            FeedPage.Item(
                offset: $0, publishedAt: Timestamp(milliseconds: 0), json: [UInt8](repeating: 0x20, count: 10))
        }
        return FeedPage(
            items: items, head: FeedPosition(epoch: "e", offset: offsets.upperBound), end: offsets.upperBound,
            hasOlder: hasOlder, isRecovered: true)
    }

    @Test func `all items are told where there is room for them`() {
        let (items, gap) = page(5...9).newest(maximumBytes: 50, after: 4)
        #expect(items.map(\.offset) == [5, 6, 7, 8, 9] && gap == nil)
    }

    @Test(
        arguments: [(49, 5...5, 6), (29, 5...7, 8), (9, 5...9, nil), (-1, 5...9, nil)]
            as [(Int, ClosedRange<Int64>, Int64?)])
    func `without room the newest items are told, and a gap up to them`(
        _ bytes: Int, _ gap: ClosedRange<Int64>, _ first: Int64?
    ) {
        let told = page(5...9).newest(maximumBytes: bytes, after: 4)
        #expect(told.items.first?.offset == first && told.gap == gap)
    }

    @Test func `the gap begins behind the reader's place, and at the page's first item where that is unknown`() {
        #expect(page(5...9).newest(maximumBytes: 20, after: 2).gap == 3...7)
        #expect(page(5...9).newest(maximumBytes: 20, after: nil).gap == 5...7)
    }

    @Test func `older items that the page lacks are told as a gap where the reader's place is known`() {
        #expect(page(5...9, hasOlder: true).newest(maximumBytes: 50, after: 2).gap == 3...4)
        #expect(page(5...9, hasOlder: true).newest(maximumBytes: 50, after: nil).gap == nil)
    }
}
