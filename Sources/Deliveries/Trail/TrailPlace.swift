/// Names a row: an event has one for each of its pages, from 0.
package struct TrailPlace: Sendable, Hashable {
    package let event: String
    package let page: Int64

    package init(event: String, page: Int64) {
        (self.event, self.page) = (event, page)
    }
}
