import Inbox
import Storage
import Transport
import WireProtocol

/// What a client does to its user's inbox and to its own credentials.
extension LiveSession {
    func acknowledge(_ seq: Int64, as user: UserID, _ id: String?, _ on: borrowing OnShard) {
        guard node.hasStore else {
            return refuse(
                id, code: StoreError.closed.code, "say it again where you come back to", isTemporary: true, on)
        }
        // Only somebody who is there has seen it: connected is not attentive.
        if isActive, isFresh(on), let known = machine.position?.seq {
            node.metrics.acks.add()
            if let seq = pushes.acknowledge(upTo: seq, told: known, isBehind: machine.isBehind) {
                node.store.acknowledge(user, upTo: seq, at: node.now())
            }
        }
        confirm(id, on)
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
