import Transport

/// One way to the server on which publications leave. Confined to its shard.
protocol PublishLane: AnyObject {
    /// Whether it takes another one now.
    var hasRoom: Bool { get }
    /// When those were due that it has sent and that are not answered.
    var underway: [Int64] { get }
    /// - Parameter values: what is published; its marker says when it was due.
    func send(_ values: Template.Values, _ on: borrowing OnShard)
    func end(_ on: borrowing OnShard)
}
