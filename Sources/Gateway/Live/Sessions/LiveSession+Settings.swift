import Inbox
import Store
import Transport
import WireProtocol

/// The user's settings: commands that change them, and the frames about them.
extension LiveSession {
    // MARK: Commands

    func snooze(until text: String?, as user: UserID, _ id: String?, _ on: borrowing OnShard) {
        let now = node.now()
        do throws(PreferenceProblem) {
            change(try SettingsChange.snooze(until: text, at: now), of: user, at: now, id, on)
        } catch {
            refuse(id, error, on)
        }
    }

    private func change(
        _ change: SettingsChange, of user: UserID, at now: Timestamp, _ id: String?, _ on: borrowing OnShard
    ) {
        guard let reference = webSocket?.reference(on) else { return }
        node.store.change(change, for: user, at: now) { result in
            reference.post { handler, on in (handler as? LiveSession)?.changed(result, id, on) }
        }
    }

    private func changed(_ result: Result<SettingsOutcome, StoreError>, _ id: String?, _ on: borrowing OnShard) {
        switch result {
        case .success(.settled): confirm(id, on)
        case .success(.refused(let problem)): refuse(id, problem, on)
        case .failure(let error): refuse(id, error.liveCode, "the change was not made; try again", on)
        }
    }

    private func refuse(_ id: String?, _ problem: PreferenceProblem, _ on: borrowing OnShard) {
        refuse(id, .invalidValue, "\(problem.pointer.dropFirst()): \(problem.message)", on)
    }

    // MARK: Frames

    /// Keeps only the newest frame, and sends it once the session is in sync.
    func deliver(settings frame: OutgoingMessage, _ on: borrowing OnShard) {
        heldSettings = frame
        tellSettings(on)
    }

    /// Sends the waiting settings, unless the session is still catching up or its reader has enough.
    func tellSettings(_ on: borrowing OnShard) {
        guard let frame = heldSettings, let webSocket, machine.position != nil, !machine.isBehind, !machine.hasEnded,
            webSocket.refusedBytes < node.settings.limits.queuedBytes
        else { return }
        heldSettings = nil
        send(frame, on)
    }
}
