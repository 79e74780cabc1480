import Inbox
import Store
import Transport
import WireProtocol

/// A client's commands about its user's inbox and its own credentials.
extension LiveSession {
    func acknowledge(_ seq: Int64, as user: UserID, _ id: String?, _ on: borrowing OnShard) {
        guard node.hasStore else { return refuse(id, .leaving, on) }
        // Only an attentive session has seen it: connected is not attentive.
        guard isActive, isFresh(on) else { return confirm(id, on) }
        if machine.position != nil { return acknowledge(attentively: seq, as: user, id, on) }
        if machine.hold(.init(seq: seq, id: id)) { return }
        refuse(id, .notReady, on)
    }

    /// Handles acknowledgements that an attentive session sent before its recovery.
    ///
    /// - Parameter isSameInbox: whether the client's epoch is the store's, as far as the client has named one.
    func acknowledge(
        _ held: [SessionMachine.HeldAcknowledgement], as user: UserID, isSameInbox: Bool, _ on: borrowing OnShard
    ) {
        for held in held {
            if isSameInbox {
                acknowledge(attentively: held.seq, as: user, held.id, on)
            } else {
                refuse(held.id, .otherEpoch, on)
            }
        }
    }

    private func acknowledge(attentively seq: Int64, as user: UserID, _ id: String?, _ on: borrowing OnShard) {
        guard let told = machine.position?.seq else { return }
        node.metrics.acks.add()
        live.traces?.acknowledged(upTo: min(seq, told), by: user)
        let cancelled = pushes.acknowledge(upTo: seq, told: told, isBehind: machine.isBehind)
        guard let id else {
            if let cancelled { node.store.acknowledge(user, upTo: cancelled, at: node.now()) }
            return
        }
        guard seq <= told else {
            if let cancelled { node.store.acknowledge(user, upTo: cancelled, at: node.now()) }
            return refuse(id, .notTold, "this session got changes up to \(told) only", on)
        }
        // An earlier acknowledgement without an `id` may still wait.
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
            refuse(id, error.liveCode, "it is not stored yet; send it again", on)
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
            refuse(id, error.liveCode, "the change was not made; try again", on)
        }
    }

    /// Confirms an answer that stands already, too: the frame was sent again, as its confirmation was lost.
    func answer(_ notification: String, _ action: String, as user: UserID, _ id: String?, _ on: borrowing OnShard) {
        guard let notification = NotificationID(notification) else { return refuse(id, .unknownNotification, on) }
        guard let reference = webSocket?.reference(on) else { return }
        let given = GivenAnswer(user: user, notification: notification, action: action, way: .live, now: node.now())
        node.store.answer(given) { result in
            reference.post { handler, on in (handler as? LiveSession)?.answered(result, action, id, on) }
        }
    }

    private func answered(
        _ result: Result<AnswerOutcome, StoreError>, _ action: String, _ id: String?, _ on: borrowing OnShard
    ) {
        switch result {
        case .success(.stored): confirm(id, on)
        case .success(.earlier(let answer)):
            if let standing = answer.action, ExactText(standing) == ExactText(action) { return confirm(id, on) }
            refuse(id, answer.way == .expiry ? .tooLate : .alreadyAnswered, on)
        case .success(.unknownAction(let ids)):
            refuse(id, .unknownAction, "expected one of \(Spelling.list(ids.map { "\"\($0)\"" }))", on)
        case .success(.asksNothing): refuse(id, .asksNothing, on)
        case .success(.unknownNotification): refuse(id, .unknownNotification, on)
        case .failure(let error): refuse(id, error.liveCode, "the answer was not stored; try again", on)
        }
    }

    func renew(_ token: String, _ id: String?, _ on: borrowing OnShard) {
        switch verify(token) {
        case .failure(let problem):
            refuse(id, problem.liveCode, on)
        case .success(let credentials) where credentials.user != user:
            refuse(id, .otherUser, on)
        case .success(let credentials):
            believe(credentials)
            renewFeeds(with: credentials, on)
            confirm(id, on)
            wakeNext(on)
        }
    }
}
