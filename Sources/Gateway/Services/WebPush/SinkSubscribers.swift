import Glibc
import JSON
import Push
import Synchronization
import Transport

/// The browsers that a sink plays, stored in its folder: a server's stored subscriptions outlive a restart of the sink.
struct SinkSubscribers: Sendable {
    private let file: String
    private let baseURL: String

    init(folder: SinkFolder, baseURL: String) throws {
        file = folder.subscribersFile
        self.baseURL = baseURL
    }

    /// The subscribers of earlier runs, by id.
    ///
    /// - Throws: for a line that no sink wrote.
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

    /// Makes and stores a subscriber.
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
