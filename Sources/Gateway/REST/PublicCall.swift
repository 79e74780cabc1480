import Inbox
import Transport
import WireProtocol

/// One whole request of an app, and what serves requests of its kind.
///
/// - Parameter Caller: who calls.
struct PublicCall<Caller> {
    let service: PublicService
    let caller: Caller
    /// Of the path.
    let parameters: [String]
    let request: HTTPRequest
    let reply: HTTPReply

    var node: Node { service.node }
    /// The path's first parameter.
    var name: String { parameters[0] }
}

/// A call of the token's user.
typealias UserCall = PublicCall<Credentials>
/// A call of a user, or of somebody without a token.
typealias GuestCall = PublicCall<Guest>

/// The caller of an endpoint that needs no token.
struct Guest {
    /// Nil without a token.
    let credentials: Credentials?
    let app: AppName
}

extension UserCall {
    var inbox: InboxRoutes { InboxRoutes(node: node, user: caller.user) }
    var devices: DeviceRoutes { DeviceRoutes(node: node, user: caller.user) }
    var activities: ActivityRoutes { ActivityRoutes(node: node, user: caller.user) }
    var preferences: PreferenceRoutes { PreferenceRoutes(node: node, user: caller.user) }
    var feeds: FeedRoutes { FeedRoutes(node: node, credentials: caller) }
}
