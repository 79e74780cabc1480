import Inbox
import JSON
import Logging
import Store
import Transport
import WireProtocol

/// `/v1/users/{user}`: a person's profile, sessions and erasure.
struct UserRoutes {
    /// Small: a profile is a snapshot to render texts with, no place for files.
    private static let maximumProfileBytes = 16 << 10

    let node: Node
    let app: AppName
    let hub: LiveHub

    /// The body is the profile: `{"locale"?, "zone"?, "email"?, …}`; it replaces the earlier one.
    func write(_ user: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let user = try UserID(newParameter: user, in: app)
        guard request.body.count <= Self.maximumProfileBytes else {
            throw Problem(
                status: 413, code: "profile_too_large",
                detail: "expected at most \(Self.maximumProfileBytes) bytes")
        }
        let profile = try Self.profile(JSONBody.node(request.body))
        let completion = reply.answer { (_: Void) in HTTPResponse(status: 204) }
        node.store.write(profile, of: user, at: node.now(), completion: completion)
    }

    private static func profile(_ json: JSONNode) throws(Problem) -> UserProfile {
        do throws(EventProblem) {
            return try UserProfile(json: json)
        } catch {
            throw Problem(error)
        }
    }

    func read(_ user: String, _ reply: HTTPReply) throws(Problem) {
        let completion = reply.answer(or: Self.unknown) { (profile: UserProfile) in
            .json { $0.value(.object(profile.json)) }
        }
        node.store.profile(of: try UserID(parameter: user, in: app), completion: completion)
    }

    /// Answers with a report once nothing is stored about the person any more.
    func erase(_ user: String, _ reply: HTTPReply) throws(Problem) {
        let user = try UserID(parameter: user, in: app)
        let completion = reply.answer { [node] (report: ErasureReport) in
            // The log does not name the erased person, either.
            node.logger.info(
                report.hadInbox ? "a person was erased" : "a person without an inbox was erased",
                metadata: .about(user.app, ["notifications": "\(report.notifications)"]))
            return Self.response(report)
        }
        node.store.erase(user, completion: completion)
    }

    /// Closes the user's sessions; their clients may come back at once, with a token that is still good.
    func disconnect(_ user: String, _ reply: HTTPReply) throws(Problem) {
        let user = try UserID(parameter: user, in: app)
        hub.close(user, .drain) { [node] here in
            node.store.ask(.disconnect(user)) { others in
                reply.send(.object { $0.member("sessions", here + others.count) })
            }
        }
    }

    /// Refuses the user's tokens that were issued until now, and closes their sessions.
    func revoke(_ user: String, _ reply: HTTPReply) throws(Problem) {
        let revocation = Revocations.all(of: try UserID(parameter: user, in: app), until: node.now())
        let completion = reply.then { [node, hub] (_: Void) in
            // The commit has ended them here already.
            hub.end(by: [revocation]) { here in
                node.store.ask(.revoke(revocation)) { others in
                    reply.send(
                        .object { json in
                            json.member("sessions", here + others.count)
                            json.member("issuedBefore", revocation.issuedBefore.iso8601)
                        })
                }
            }
        }
        node.store.revoke(revocation, completion: completion)
    }

    func sessions(_ user: String, _ reply: HTTPReply) throws(Problem) {
        let user = try UserID(parameter: user, in: app)
        hub.sessions(of: user) { [node] here in
            node.store.ask(.sessions(of: user)) { others in
                reply.send(
                    .object { json in
                        json.key("sessions")
                        json.array { json in
                            for session in here { Self.write(session, to: &json) }
                            for isActive in others { json.object { $0.member("active", isActive) } }
                        }
                    })
            }
        }
    }

    private static func write(_ session: LiveHub.SessionStatus, to json: inout JSONWriter) {
        json.object { json in
            json.member("active", session.isActive)
            json.member("minutes", session.minutes)
            if let address = session.address { json.member("address", "\(address)") }
            if let seq = session.seq { json.member("seq", seq) }
            json.member("waitingBytes", session.waitingBytes)
            json.member("behind", session.isBehind)
        }
    }

    private static let unknown = Problem(
        status: 404, code: "unknown_user", detail: "no profile was written for this user")

    private static func response(_ report: ErasureReport) -> HTTPResponse {
        .object { json in
            json.member("erased", report.hadInbox)
            json.member("notifications", report.notifications)
            json.member("contents", report.contents)
            json.member("changes", report.changes)
            json.member("devices", report.devices)
            json.member("pushes", report.pushes)
            json.member("topics", report.topics)
            json.member("feedMarks", report.feedMarks)
            json.member("trailEntries", report.trailEntries)
            json.member("profile", report.hadProfile)
            json.member("settings", report.hadSettings)
        }
    }
}
