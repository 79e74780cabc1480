import Inbox
import JSON

/// Judges requests as FCM does, so that a sender can be tested without Google.
///
/// Follows Firebase's "Method: projects.messages.send", "REST Resource: projects.messages" and "FCM Error Codes".
package struct FCMStandIn: ProviderStandIn {
    /// The project that the access token is valid for; nil for any.
    package var projectID: String?

    package init(projectID: String? = nil) { self.projectID = projectID }

    package func device(of request: SinkRequest) -> String? {
        // An invalid body names no device.
        (try? JSONValue(parsing: request.body))?.at(["message", "token"])?.string
    }

    package func receive(_ request: SinkRequest, credential: CredentialCheck, id: String) -> StandInOutcome {
        do throws(FCMRefusal) {
            let project = try project(of: request)
            try Self.checkAuthorization(request, credential: credential)
            if let projectID, projectID != project {
                throw FCMRefusal(403, "PERMISSION_DENIED", "Permission denied on the project.")
            }
            let message = try FCMMessageCheck(request.body)
            let body: JSONValue = ["name": .string("projects/\(project)/messages/\(id)")]
            return StandInOutcome(reply: Self.reply(200, body.encoded), shown: message.isDryRun ? [] : [message.shown])
        } catch {
            return StandInOutcome(reply: Self.reply(error.status, error.body))
        }
    }

    package func reply(_ answer: SinkFault.Answer, to request: SinkRequest, id: String) -> PushReply {
        var body: [UInt8] = []
        if let reason = answer.reason {
            body = FCMRefusal(answer.status, FCMRefusal.status(of: reason), "As scripted.", code: reason).body
        }
        var reply = Self.reply(answer.status, body)
        reply.headers += answer.retryAfterHeader
        return reply
    }

    private static func reply(_ status: Int, _ body: [UInt8]) -> PushReply {
        PushReply(
            status: status, headers: body.isEmpty ? [] : [("content-type", "application/json; charset=UTF-8")],
            body: body)
    }

    /// The project in `/v1/projects/<project>/messages:send`.
    private func project(of request: SinkRequest) throws(FCMRefusal) -> String {
        let path = request.path.split(separator: "?", omittingEmptySubsequences: false)[0]
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard request.method == "POST", segments.count == 5, segments[0].isEmpty, segments[1] == "v1",
            segments[2] == "projects", !segments[3].isEmpty, segments[4] == "messages:send"
        else { throw FCMRefusal(404, "NOT_FOUND", "Not found.") }
        return String(segments[3])
    }

    private static func checkAuthorization(
        _ request: SinkRequest, credential: CredentialCheck
    ) throws(FCMRefusal) {
        let isBearer = request.header("authorization")?.hasPrefix("Bearer ") == true
        guard isBearer, credential == .valid else {
            throw FCMRefusal(
                401, "UNAUTHENTICATED",
                "Request had invalid authentication credentials. Expected OAuth 2 access token.")
        }
    }
}
