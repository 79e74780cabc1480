import CLinux
import Glibc
package import WireProtocol

/// WebSockets of one shard that get the same messages. Sending to a member with a clear socket touches only its place
/// here and the shard's note of it. With ten thousand members, every further object would come from main memory each
/// time.
package struct WebSocketGroup {
    private struct Member {
        let id: ConnectionID
        /// The index in `forms`.
        let form: UInt8
        /// Whether the member gets the group's messages unchanged; the owner of the group decides that.
        var isInStep = false
    }

    /// 2 KiB of ids: the nearest cache holds them beside the frame.
    private static let socketsAtOnce = 256

    private var members: [Member] = []
    /// The forms of the members' messages: at most one for each window size of compression, and two without.
    private var forms: [MessageForm] = []

    package init() {}

    /// Adds a member at the end, not in step yet.
    package mutating func append(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        let (id, form) = webSocket.share(on)
        let place = forms.firstIndex(of: form) ?? forms.endIndex
        if place == forms.endIndex { forms.append(form) }
        members.append(Member(id: id, form: UInt8(place)))
    }

    /// Moves the last member to the removed place, so that ten thousand removals do not cost the square of it.
    package mutating func remove(at index: Int) {
        let last = members.removeLast()
        if index < members.count { members[index] = last }
    }

    package func isInStep(_ index: Int) -> Bool { members[index].isInStep }

    package mutating func setInStep(_ index: Int, _ isInStep: Bool) { members[index].isInStep = isInStep }

    /// Sends to each member that is in step and has a clear socket.
    ///
    /// Calls no handler: bytes that a socket does not take wait for the turn's flush, which also finds failures.
    ///
    /// Sockets are chosen in batches before anything is sent, because each `send` fills the CPU's caches with the
    /// kernel's data. Both places of the next member would then come from memory again.
    /// - Parameter settings: the compression for members that agreed on it.
    /// - Returns: the indices of members that did not get the message, in order.
    package func send(
        _ message: OutgoingMessage, _ settings: DeflateSettings?, _ on: borrowing OnShard
    ) -> [Int] {
        var others: [Int] = []
        var sockets: [ConnectionID] = []
        sockets.reserveCapacity(min(members.count, Self.socketsAtOnce))
        var next = 0
        while next < members.count {
            let form = members[next].form
            next = choose(from: next, form, &sockets, &others, on)
            let frame = message.frame(for: forms[Int(form)], settings, with: on.shard.compression)
            Self.send(frame, to: sockets, on)
            sockets.removeAll(keepingCapacity: true)
        }
        return others
    }

    /// Adds sockets that may be sent to, while there is room and members have this form.
    ///
    /// - Returns: the index behind the last visited member.
    private func choose(
        from start: Int, _ form: UInt8, _ sockets: inout [ConnectionID], _ others: inout [Int],
        _ on: borrowing OnShard
    ) -> Int {
        for index in start..<members.count {
            let member = members[index]
            guard member.form == form, sockets.count < Self.socketsAtOnce else { return index }
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
