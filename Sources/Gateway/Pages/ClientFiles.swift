import Crypto
import WireProtocol

/// The JavaScript client's files: each at a stable path, and at one that names this very version.
struct ClientFiles: Sendable {
    /// The files that were built into the program.
    static let shared = ClientFiles()

    /// A digest of all files: another build has other paths for all of them, so that files import each other from the
    /// same build.
    let version: String
    private let files: [String: StaticFile]

    private init() {
        // Pages of any origin may load them, also with `integrity`, and if their page asks for isolation.
        let headers = [("Access-Control-Allow-Origin", "*"), ("Cross-Origin-Resource-Policy", "cross-origin")]
        // Without this header, a worker may control only its own folder, which is a version's.
        let worker = headers + [("Service-Worker-Allowed", "/")]
        let all = EmbeddedFiles.client.map { name, content in
            StaticFile(name: name, content: content, headers: name == "belfry-sw.js" ? worker : headers)
        }
        let joined = all.flatMap { file -> [UInt8] in Array(file.name.utf8) + [0] + file.bytes }
        version = SHA256.hash(data: joined).hexadecimal(bytes: 8)
        files = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    /// The files' names, sorted.
    var names: [String] { files.keys.sorted() }

    /// The content at a version's path never changes; at a stable path, a new server may have a new one.
    var routes: [Route<PublicService.Handler>] {
        files.sorted { $0.key < $1.key }.flatMap { name, file in
            [("/\(name)", "no-cache"), ("/client/\(version)/\(name)", "public, max-age=31536000, immutable")].map {
                path, caching in
                Route(
                    "GET", path, query: .any(), gives: .file,
                    .anybody { head in file.answer(to: head, caching: caching) })
            }
        }
    }
}
