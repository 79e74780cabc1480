/// A place in one person's list, which `meta.next` returns and `before` takes: `<epoch>.<asOf>.<place>`. Clients treat
/// it as opaque.
///
/// It holds everything that the next page needs. So the server stores nothing about readers, and readers do not affect
/// each other.
struct ListCursor: Hashable {
    /// The inbox's epoch, in which alone the place is valid.
    let epoch: String
    /// The `seq` as of which the list is read.
    let asOf: Int64
    /// The page begins behind this place.
    let place: Int64

    init(epoch: String, asOf: Int64, place: Int64) { (self.epoch, self.asOf, self.place) = (epoch, asOf, place) }

    /// Reads what ``text`` wrote; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, let asOf = Int64(parts[parts.count - 2]), let place = Int64(parts[parts.count - 1]),
            asOf >= 0, place >= 0
        else { return nil }
        let epoch = parts.dropLast(2).joined(separator: ".")
        guard !epoch.isEmpty else { return nil }
        self.init(epoch: epoch, asOf: asOf, place: place)
    }

    var text: String { "\(epoch).\(asOf).\(place)" }
}
