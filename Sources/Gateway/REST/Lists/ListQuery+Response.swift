import Inbox
import JSON
import Store
import WireProtocol

/// The numbers of a page, beside its notifications.
struct PageNumbers: Hashable {
    let page: Int64
    let totalCount: Int64
    let totalPages: Int64

    /// True only if more rows follow the page.
    var hasNextPage: Bool { page < totalPages }

    /// - Parameter start: as requested.
    init(_ result: Page, _ start: ListQuery.Start, limit: Int) {
        let limit = Int64(limit)
        func pages(_ count: Int64) -> Int64 { (count + limit - 1) / limit }
        switch start {
        case .page(let number, _) where result.isRecovered:
            page = Int64(number)
            // Counts the earlier pages as read, although some of their rows may no longer pass the filter.
            totalCount = result.remaining > 0 ? (page - 1) * limit + result.remaining : result.totalCount
            totalPages = pages(totalCount)
        case .after where result.isRecovered:
            (page, totalCount, totalPages) = (1, result.totalCount, pages(result.remaining))
        case .page, .after, .behind, .before:
            totalCount = result.totalCount
            let passed = pages(totalCount - result.remaining)
            (page, totalPages) = (passed + 1, passed + pages(result.remaining))
        }
    }
}

extension ListQuery {
    func response(_ result: Page) -> HTTPResponse {
        let numbers = PageNumbers(result, start, limit: limit)
        return .object { json in
            json.key("data")
            json.array { json in
                for notification in result.notifications { notification.write(to: &json) }
            }
            json.key("meta")
            json.object { json in
                json.member("totalCount", numbers.totalCount)
                json.member("page", numbers.page)
                json.member("limit", limit)
                json.member("totalPages", numbers.totalPages)
                json.member("hasNextPage", numbers.hasNextPage)
                json.member("hasPrevPage", numbers.page > 1)
                json.member("epoch", result.state.epoch)
                json.member("seq", result.state.seq)
                json.member("unread", result.state.unread)
                json.member("unseen", result.state.unseen)
                json.member("asOf", result.asOf)
                json.key("next")
                if let next = next(result, numbers) { json.value(next.text) } else { json.null() }
                if tellsRecovery(of: result) { json.member("recovered", result.isRecovered) }
            }
        }
    }

    /// The place where the next page begins; nil without one.
    private func next(_ result: Page, _ numbers: PageNumbers) -> ListCursor? {
        guard numbers.hasNextPage, let end = result.end else { return nil }
        return ListCursor(epoch: result.state.epoch, asOf: result.asOf, place: end)
    }

    /// Whether the answer tells if the place was known: always if the request names an epoch, and whenever it was not
    /// known.
    private func tellsRecovery(of result: Page) -> Bool {
        switch start {
        case .page: false
        case .behind: true
        case .before(_, let epoch), .after(_, let epoch): epoch != nil || !result.isRecovered
        }
    }
}
