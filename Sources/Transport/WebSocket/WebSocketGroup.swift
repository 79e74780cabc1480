import Glibc
package import WireProtocol

/// WebSockets of one shard that are told the same, side by side: sending to a member whose socket is clear touches nothing
/// but its place here and its shard's note of it. At ten thousand members, each object more would come from main memory,
/// every time, for every one of them.
package struct WebSocketGroup {
    private struct Member {
        let id: ConnectionID
        let deflate: DeflateAgreement?
        /// Whether a message for the group is for this member as it is; what makes it otherwise is its owner's matter.
        var isInStep = false
    }

    private var members: [Member] = []

    package init() {}

    /// Adds a member behind the others, not in step yet.
    package mutating func append(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        let (id, deflate) = webSocket.share(on)
        members.append(Member(id: id, deflate: deflate))
    }

    /// Puts the last member in the place of the one that leaves: ten thousand leaving must not cost their square.
    package mutating func remove(at index: Int) {
        let last = members.removeLast()
        if index < members.count { members[index] = last }
    }

    package func isInStep(_ index: Int) -> Bool { members[index].isInStep }

    package mutating func setInStep(_ index: Int, _ isInStep: Bool) { members[index].isInStep = isInStep }

    /// Sends to each member that is in step and whose socket is clear.
    ///
    /// Tells nobody's handler anything: what a socket does not take waits for the turn's flush, as does its failure.
    /// - Parameter settings: how messages are compressed for those who agreed on it.
    /// - Returns: the places of those that it was not sent to, in order.
    package func send(
        _ message: OutgoingMessage, _ settings: DeflateSettings?, _ on: borrowing OnShard
    ) -> [Int] {
        var others: [Int] = []
        var start = 0
        while start < members.count {
            let deflate = members[start].deflate
            let frame = message.frame(for: deflate, settings, with: on.shard.compression)
            start = send(frame, to: deflate, from: start, &others, on)
        }
        return others
    }

    /// - Returns: the place of the next member that agreed on something else, or their number.
    private func send(
        _ frame: [UInt8], to deflate: DeflateAgreement?, from start: Int, _ others: inout [Int],
        _ on: borrowing OnShard
    ) -> Int {
        for index in start..<members.count {
            let member = members[index]
            guard member.deflate == deflate else { return index }
            guard member.isInStep, on.shard.isClear(member.id, on) else {
                others.append(index)
                continue
            }
            let sent = frame.withUnsafeBytes {
                Glibc.send(member.id.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent < frame.count { on.shard.connection(member.id, on)?.queue(frame, from: max(sent, 0), on) }
        }
        return members.count
    }
}
