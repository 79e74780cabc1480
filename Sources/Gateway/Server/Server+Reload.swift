import Logging
import Push
import Transport

/// Files that a running server reads again; what cannot be used never replaces what holds.
extension Server {
    /// Reads certificate and key again: new connections get the new one, those that are open keep theirs.
    package func reloadCertificate() {
        guard let tls = edge.tls else { return }
        do {
            try tls.reload()
            node.logger.info("certificate read again")
        } catch {
            node.logger.error("the old certificate still holds", metadata: ["reason": "\(error)"])
        }
    }

    /// Reads the keys of tokens again if their files have changed. One call at a time.
    package func reloadKeys() async {
        switch await node.authenticator.reloadIfChanged() {
        case .unchanged: break
        case .replaced(let notes):
            node.logger.info("keys replaced")
            for note in notes { node.logger.warning("\(note)") }
        case .kept(let problem): node.logger.error("the old keys still hold: \(problem)")
        }
    }

    /// Reads the keys with which push services know us again.
    package func reloadPushKeys() async {
        for (provider, sender) in dispatcher.senders {
            do {
                try await sender.readKey()
            } catch {
                node.logger.error(
                    "the old key of a push service still holds",
                    metadata: ["provider": "\(provider.rawValue)", "reason": "\(error)"])
            }
        }
    }
}
