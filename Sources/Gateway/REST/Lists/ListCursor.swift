/// A place in one person's list, as `meta.next` tells it and `before` takes it: `<epoch>.<asOf>.<place>`. Clients treat
/// it as opaque.
///
/// It says all that the next page needs, so the server keeps nothing of whoever reads, and readers do not meet.
struct ListCursor: Hashable {
    /// The inbox's, without which a place is none.
    let epoch: String
    /// The `seq` as of which the list is read.
    let asOf: Int64
    /// The page begins behind it.
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
