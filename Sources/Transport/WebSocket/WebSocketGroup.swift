import CLinux
import Glibc
package import WireProtocol

/// WebSockets of one shard that are told the same, side by side: sending to a member whose socket is clear touches
/// nothing but its place here and its shard's note of it. At ten thousand members, each object more would come from
/// main memory, every time, for every one of them.
package struct WebSocketGroup {
    private struct Member {
        let id: ConnectionID
        /// Its place in `agreements`.
        let agreement: UInt8
        /// Whether a message for the group is for this member as it is; what makes it otherwise is its owner's matter.
        var isInStep = false
    }

    /// 2 KiB of them: the nearest cache holds that beside the frame.
    private static let socketsAtOnce = 256

    private var members: [Member] = []
    /// What members have agreed on about compression: one for each size of window, and none, at most.
    private var agreements: [DeflateAgreement?] = []

    package init() {}

    /// Adds a member behind the others, not in step yet.
    package mutating func append(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        let (id, deflate) = webSocket.share(on)
        let agreement = agreements.firstIndex(of: deflate) ?? agreements.endIndex
        if agreement == agreements.endIndex { agreements.append(deflate) }
        members.append(Member(id: id, agreement: UInt8(agreement)))
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
    ///
    /// Chooses the sockets first, some hundred at a time, and then sends: each `send` fills the CPU's caches with the
    /// kernel's own, and both places of the next member would come from memory once more.
    /// - Parameter settings: how messages are compressed for those who agreed on it.
    /// - Returns: the places of those that it was not sent to, in order.
    package func send(
        _ message: OutgoingMessage, _ settings: DeflateSettings?, _ on: borrowing OnShard
    ) -> [Int] {
        var others: [Int] = []
        var sockets: [ConnectionID] = []
        sockets.reserveCapacity(min(members.count, Self.socketsAtOnce))
        var next = 0
        while next < members.count {
            let agreement = members[next].agreement
            next = choose(from: next, agreement, &sockets, &others, on)
            let frame = message.frame(for: agreements[Int(agreement)], settings, with: on.shard.compression)
            Self.send(frame, to: sockets, on)
            sockets.removeAll(keepingCapacity: true)
        }
        return others
    }

    /// Adds the sockets that may be sent to, as long as there is room and members have this agreement.
    ///
    /// - Returns: the place behind the last member that was looked at.
    private func choose(
        from start: Int, _ agreement: UInt8, _ sockets: inout [ConnectionID], _ others: inout [Int],
        _ on: borrowing OnShard
    ) -> Int {
        for index in start..<members.count {
            let member = members[index]
            guard member.agreement == agreement, sockets.count < Self.socketsAtOnce else { return index }
            if member.isInStep, on.shard.isClear(member.id, on) {
                sockets.append(member.id)
            } else {
                others.append(index)
            }
        }
        return members.count
    }

    private static func send(_ frame: [UInt8], to sockets: [ConnectionID], _ on: borrowing OnShard) {
        for socket in sockets {
            let sent = frame.withUnsafeBytes {
                belfry_send(socket.descriptor, $0.baseAddress, $0.count)
            }
            if sent < frame.count { on.shard.connection(socket, on)?.queue(frame, from: max(sent, 0), on) }
        }
    }
}
