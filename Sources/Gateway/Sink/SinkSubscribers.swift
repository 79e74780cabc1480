import Glibc
import JSON
import Push
import Synchronization
import Transport

/// The browsers that a sink plays, kept in its folder: a subscription that a server has stored outlives the sink's
/// restart.
struct SinkSubscribers: Sendable {
    private let file: String
    private let baseURL: String

    init(folder: SinkFolder, baseURL: String) throws {
        file = folder.subscribersFile
        self.baseURL = baseURL
    }

    /// Those of earlier runs, by id.
    ///
    /// - Throws: at a line that no sink wrote.
    func stored() throws -> [String: WebPushSubscriber] {
        guard access(file, F_OK) == 0 else { return [:] }
        var subscribers: [String: WebPushSubscriber] = [:]
        for (index, line) in try TextFile.read(file).split(separator: "\n").enumerated() {
            guard let subscriber = try WebPushSubscriber(JSONValue(parsing: String(line))) else {
                throw ServerError("\(file), line \(index + 1): expected a line that `belfry sink` has written")
            }
            subscribers[subscriber.id] = subscriber
        }
        return subscribers
    }

    /// Makes one and stores it.
    func add(applicationServerKey: String?) throws -> WebPushSubscriber {
        let subscriber = WebPushSubscriber.random(
            id: RandomName.make(prefix: ""), baseURL: baseURL, applicationServerKey: applicationServerKey)
        let descriptor = try PrivateFile.openToAppend(file)
        defer { close(descriptor) }
        // One call, so that lines of several shards do not mix.
        try PrivateFile.append(subscriber.storedJSON + [UInt8(ascii: "\n")], to: descriptor, subject: file)
        return subscriber
    }
}
