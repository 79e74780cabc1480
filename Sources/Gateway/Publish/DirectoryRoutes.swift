import Transport
import WireProtocol

/// What backends ask and tell about people, and about events for many: the calls with one parameter in their path.
struct DirectoryRoutes {
    enum Call: Sendable, Hashable {
        case members, writeMembers, emptyTopic
        case profile, writeProfile, erase, topics, sessions, disconnect
        case progress
    }

    let node: Node
    let hub: LiveHub

    /// - Parameter name: the topic, the user or the event.
    func serve(
        _ call: Call, _ name: String, _ query: HTTPQuery, _ request: HTTPRequest, _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        let (topics, users) = (TopicRoutes(node: node), UserRoutes(node: node, hub: hub))
        switch call {
        case .members: topics.list(name, query, reply, on)
        case .writeMembers: topics.write(name, request, reply, on)
        case .emptyTopic: topics.empty(name, request, reply, on)
        case .profile: users.read(name, reply, on)
        case .writeProfile: users.write(name, request, reply, on)
        case .erase: users.erase(name, reply, on)
        case .topics: topics.topics(of: name, reply, on)
        case .sessions: users.sessions(name, reply, on)
        case .disconnect: users.disconnect(name, reply, on)
        case .progress: BroadcastRoute(node: node).serve(name, reply)
        }
    }
}
