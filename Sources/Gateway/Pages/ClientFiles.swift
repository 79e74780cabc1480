import Crypto
import WireProtocol

/// The JavaScript client as Belfry serves it: each file at a path that stays, and at one that names this very version.
struct ClientFiles: Sendable {
    /// Where a file is asked for.
    struct Place: Sendable, Hashable {
        let name: String
        let isVersioned: Bool
    }

    /// What the program has with it.
    static let shared = ClientFiles()

    /// The files as they were built, a digest of them all: another build of one has other paths for each, so that what
    /// they import from each other is of the same build.
    let version: String
    private let files: [String: StaticFile]

    private init() {
        // Pages of any origin may load them, also with `integrity`, and where their page asks for isolation.
        let headers = [("Access-Control-Allow-Origin", "*"), ("Cross-Origin-Resource-Policy", "cross-origin")]
        // Its own folder is all that a worker may control otherwise, which is a version's.
        let worker = headers + [("Service-Worker-Allowed", "/")]
        let all = EmbeddedFiles.client.map { name, content in
            StaticFile(name: name, content: content, headers: name == "belfry-sw.js" ? worker : headers)
        }
        let joined = all.flatMap { file -> [UInt8] in Array(file.name.utf8) + [0] + file.bytes }
        version = SHA256.hash(data: joined).hexadecimal(bytes: 8)
        files = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    /// By name.
    var names: [String] { files.keys.sorted() }

    /// All their paths, for a router.
    var table: [(method: String, pattern: String, endpoint: PublicEndpoint)] {
        names.flatMap { name in
            [
                ("GET", "/\(name)", .client(Place(name: name, isVersioned: false))),
                ("GET", "/client/\(version)/\(name)", .client(Place(name: name, isVersioned: true))),
            ]
        }
    }

    func answer(to head: HTTPRequestHead, at place: Place) -> HTTPResponse {
        // What stands at a version's path never changes; at the other, a new server may have a new one at any time.
        files[place.name]?.answer(
            to: head, caching: place.isVersioned ? "public, max-age=31536000, immutable" : "no-cache")
            ?? Problem.notFound.response
    }
}
