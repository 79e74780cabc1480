import Transport

/// One connection on which publications are sent. Confined to its shard.
protocol PublishLane: AnyObject {
    /// Whether it takes another publication now.
    var hasRoom: Bool { get }
    /// The due times of unanswered publications.
    var underway: [Int64] { get }
    /// - Parameter values: the values to publish; the marker has the due time.
    func send(_ values: Template.Values, _ on: borrowing OnShard)
    func end(_ on: borrowing OnShard)
}
