import Inbox
import Store
import Transport
import WireProtocol

/// The frames about a session's inbox: first the missed changes, then new ones.
extension LiveSession {
    func recover(_ user: UserID, from resume: ClientFrame.Hello.Resume?, _ on: borrowing OnShard) {
        guard let reference = webSocket?.reference(on) else { return }
        let position = resume.map { InboxPosition(epoch: $0.epoch, seq: $0.seq) }
        if let recovery = node.store.rememberedRecovery(of: user, from: position) {
            node.metrics.inboxReadsFromMemory.add()
            return recovered(.success(recovery), from: position, on)
        }
        node.metrics.inboxReadsFromStore.add()
        node.store.recover(user, from: position) { result in
            reference.post { handler, on in (handler as? LiveSession)?.recovered(result, from: position, on) }
        }
    }

    private func recovered(
        _ result: Result<Recovery, StoreError>, from position: InboxPosition?, _ on: borrowing OnShard
    ) {
        switch result {
        case .failure(let error): close(error.closeCode, on)
        case .success(let recovery):
            let acknowledged = machine.recovered(recovery)
            let state = recovery.state
            let name = stream?.name ?? StreamExtras.newName()
            if let stream, let webSocket, let user {
                stream.epoch = state.epoch
                node.openStreams.add(webSocket.reference(on), of: user, named: name)
            }
            switch recovery.result {
            case .changes:
                send(ready(state, name, isRecovered: position != nil), on)
            case .reset(let notifications):
                send(ready(state, name, isRecovered: false), on)
                send(LiveFrames.reset(state, notifications), on)
            }
            tellPlace(on)
            if let user, !acknowledged.isEmpty {
                let isSameInbox = position.map { $0.epoch == state.epoch } ?? true
                acknowledge(acknowledged, as: user, isSameInbox: isSameInbox, on)
            }
            catchUp(on)
        }
    }

    /// Tells the client of an event stream how far it was told, unless more follows at once.
    private func tellPlace(_ on: borrowing OnShard) {
        guard let webSocket, webSocket.isEventStream, let stream, let position = machine.position else { return }
        webSocket.send(place: "\(stream.epoch).\(position.seq)", on)
    }

    private func ready(_ state: InboxState, _ name: String, isRecovered: Bool) -> [UInt8] {
        let (limits, live) = (node.settings.limits, node.settings.live)
        return ServerFrame.ready(
            session: name, epoch: state.epoch, seq: state.seq, unread: state.unread,
            unseen: state.unseen, heartbeat: live.heartbeat,
            limits: LiveLimits(
                frameBytes: limits.clientFrameBytes, frames: limits.clientFramesPer10s, framesWindow: .seconds(10),
                sessions: limits.sessionsPerUser, queuedBytes: limits.queuedBytes, stallTimeout: limits.stallTimeout),
            isRecovered: isRecovered)
    }

    /// Sends frames that wait for room: the rest of a catch-up, and gaps.
    func catchUp(_ on: borrowing OnShard) {
        guard let webSocket else { return }
        let hasTakenAll = webSocket.backlog == 0
        let before = machine.position
        while let next = machine.next(
            queuedBytes: webSocket.backlog, maximumQueuedBytes: live.maximumQueuedBytes)
        {
            switch next {
            case .replay(let change):
                send(LiveFrames.frame(for: change, isReplay: true), on)
                if let user { live.traces?.told(change, to: user) }
            case .held(let held): send(held.message, on)
            case .gap(let gap): send(ServerFrame.gap(from: gap.from, to: gap.to, unread: gap.unread), on)
            }
        }
        if machine.position != before { tellPlace(on) }
        for membership in memberships where hasTakenAll {
            guard let gap = membership.subscription.drained() else { continue }
            send(ServerFrame.gap(feed: membership.roster.name, from: gap.from, to: gap.to), on)
        }
        tellSettings(on)
        catchUpNextTurn(on)
    }

    /// A socket that takes everything at once never reports that it is drained, so the session looks again by itself.
    private func catchUpNextTurn(_ on: borrowing OnShard) {
        guard stall == nil, !willCatchUp, let reference = webSocket?.reference(on),
            machine.isBehind || memberships.contains(where: \.subscription.isBehind)
        else { return }
        willCatchUp = true
        reference.post { handler, on in
            guard let session = handler as? LiveSession else { return }
            session.willCatchUp = false
            session.catchUp(on)
        }
    }

    /// - Returns: whether the client is told of it now.
    func deliver(_ stamp: ChangeStamp, _ frame: OutgoingMessage, _ on: borrowing OnShard) -> Bool {
        let refused = webSocket?.refusedBytes(beyond: live.maximumQueuedBytes - frame.byteCount, on) ?? 0
        let delivery = machine.deliver(
            stamp, frame: frame, queuedBytes: refused, maximumQueuedBytes: live.maximumQueuedBytes)
        if delivery == .send {
            send(frame, on)
            tellPlace(on)
        } else if machine.isFolding {
            node.metrics.framesFolded.add()
        }
        return delivery == .send
    }
}
