/// The rows of a list whose places are above `above`, up to `upTo`.
package struct ListSpan: Sendable, Hashable {
    package var above: Int64 = 0
    package var upTo = Int64.max

    package init(above: Int64 = 0, upTo: Int64 = .max) { (self.above, self.upTo) = (above, upTo) }

    package func contains(_ place: Int64) -> Bool { place > above && place <= upTo }
}
