import Inbox
import JSON
import Push
import Store
import Transport
import WireProtocol

/// `POST /api/push/answer {endpoint, auth, notification, action}`: the answer by a button of a browser's notification,
/// from a service worker, which has no token.
///
/// The secret `auth` of the browser's subscription stands for a token, as in ``SubscriptionChange``. The answer is the
/// same for an unknown subscription and a wrong secret, so that it does not reveal which exist.
struct PushAnswerRoute {
    let node: Node
    let caller: Guest

    func serve(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let body = try JSONBody(request.body)
        guard let auth = try body.optionalText("auth").flatMap(Base64URL.decodeLeniently) else {
            throw .member("missing_field", "auth", "expected the subscription's secret in base64url")
        }
        guard let text = try body.optionalText("endpoint") else {
            throw .member("missing_field", "endpoint", "expected the subscription's endpoint, a URL")
        }
        let endpoint: WebPushEndpoint
        do {
            endpoint = try WebPushEndpoint(text, hosts: node.settings.push.webPush.hosts)
        } catch {
            throw .member("invalid_value", "endpoint", error.description)
        }
        guard let notification = try body.optionalText("notification") else {
            throw .member("missing_field", "notification", "expected the notification's id")
        }
        let action = try AnswerRoute.action(in: body)
        let completion = reply.then { [node] (known: OwnedDevice?) in
            guard let known, known.device.keys?.isSecret(auth) == true else {
                return reply.send(Problem.unknownSubscription.response)
            }
            AnswerRoute(node: node, user: known.user).serve(action, to: notification, by: .push, reply)
        }
        node.store.device(of: .webpush, token: endpoint.url, in: caller.app, completion: completion)
    }
}
