import Inbox
import Storage
import Transport
import WireProtocol

/// What a client does to its user's inbox and to its own credentials.
extension LiveSession {
    func acknowledge(_ seq: Int64, as user: UserID, _ id: String?, _ on: borrowing OnShard) {
        guard node.hasStore else {
            return refuse(
                id, code: StoreError.closed.code, "send it again after you reconnect", isTemporary: true, on)
        }
        // Only somebody who is there has seen it: connected is not attentive.
        guard isActive, isFresh(on) else { return confirm(id, on) }
        if machine.position != nil { return acknowledge(attentively: seq, as: user, id, on) }
        if machine.hold(.init(seq: seq, id: id)) { return }
        refuse(id, code: "not_ready", "send it again after `ready`", isTemporary: true, on)
    }

    /// What an attentive session has acknowledged before its recovery.
    ///
    /// - Parameter isSameInbox: whether the client and the store speak of the same epoch, as far as the client has
    ///   named one.
    func acknowledge(
        _ held: [SessionMachine.HeldAcknowledgement], as user: UserID, isSameInbox: Bool, _ on: borrowing OnShard
    ) {
        for held in held {
            if isSameInbox {
                acknowledge(attentively: held.seq, as: user, held.id, on)
            } else {
                refuse(held.id, code: "other_epoch", "the seq is of another epoch than `ready`", isTemporary: true, on)
            }
        }
    }

    private func acknowledge(attentively seq: Int64, as user: UserID, _ id: String?, _ on: borrowing OnShard) {
        guard let told = machine.position?.seq else { return }
        node.metrics.acks.add()
        let cancelled = pushes.acknowledge(upTo: seq, told: told, isBehind: machine.isBehind)
        guard let id else {
            if let cancelled { node.store.acknowledge(user, upTo: cancelled, at: node.now()) }
            return
        }
        guard seq <= told else {
            if let cancelled { node.store.acknowledge(user, upTo: cancelled, at: node.now()) }
            return refuse(id, code: "not_told", "this session got changes up to \(told) only", isTemporary: true, on)
        }
        // What it has acknowledged without an `id` may wait still.
        guard let cancelled = cancelled ?? (node.store.isAcknowledging(user) ? seq : nil) else {
            return confirm(id, on)
        }
        guard let reference = webSocket?.reference(on) else { return }
        node.store.acknowledge(user, upTo: cancelled, at: node.now()) { result in
            reference.post { handler, on in (handler as? LiveSession)?.acknowledged(result, id, on) }
        }
    }

    private func acknowledged(_ result: Result<Void, StoreError>, _ id: String, _ on: borrowing OnShard) {
        switch result {
        case .success: confirm(id, on)
        case .failure(let error):
            pushes.failed()
            refuse(id, code: error.code, "it is not stored yet; send it again", isTemporary: true, on)
        }
    }

    func apply(_ command: InboxCommand, as user: UserID, _ id: String?, _ on: borrowing OnShard) {
        guard let reference = webSocket?.reference(on) else { return }
        node.store.apply(command, for: user, at: node.now()) { result in
            reference.post { handler, on in (handler as? LiveSession)?.applied(result, id, on) }
        }
    }

    private func applied(_ result: Result<CommandOutcome, StoreError>, _ id: String?, _ on: borrowing OnShard) {
        switch result {
        case .success: confirm(id, on)
        case .failure(let error):
            refuse(id, code: error.code, "the change was not made; try again", isTemporary: true, on)
        }
    }

    func renew(_ token: String, _ id: String?, _ on: borrowing OnShard) {
        switch verify(token) {
        case .failure(let problem):
            refuse(id, code: problem.code, problem.message, on)
        case .success(let credentials) where credentials.user != user:
            refuse(id, code: "other_user", "the token is another user's", on)
            close(.badToken, on)
        case .success(let credentials):
            believe(credentials)
            renewFeeds(with: credentials, on)
            confirm(id, on)
            wakeNext(on)
        }
    }
}
