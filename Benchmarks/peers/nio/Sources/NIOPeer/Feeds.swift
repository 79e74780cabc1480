import NIOCore

/// All feeds by name. Confined to its event loop.
final class Feeds {
    private let loop: any EventLoop
    private var feeds: [String: Feed] = [:]

    init(on loop: any EventLoop) { self.loop = loop }

    /// What a target of the form `/feeds/NAME` names.
    static func name(in target: String) -> String? {
        let prefix = "/feeds/"
        guard target.hasPrefix(prefix), target.utf8.count > prefix.utf8.count else { return nil }
        return String(target.dropFirst(prefix.count))
    }

    func feed(named name: String) -> Feed {
        if let feed = feeds[name] { return feed }
        let feed = Feed(on: loop)
        feeds[name] = feed
        return feed
    }

    func publish(_ message: ByteBuffer, to name: String) {
        feeds[name]?.publish(message)
    }
}
