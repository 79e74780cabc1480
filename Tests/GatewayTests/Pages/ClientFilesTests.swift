import Crypto
import Foundation
import Testing
import WireProtocol

@testable import Gateway

struct ClientFilesTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    private let files = ClientFiles.shared

    private static func dist(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appending(path: "clients/js/dist/\(name)")))
    }

    private func answer(_ name: String, versioned: Bool = false, _ headers: HTTPHeaders = [:]) throws -> HTTPResponse {
        var headers = headers
        headers.add("Host", "localhost")
        let path = versioned ? "/client/\(files.version)/\(name)" : "/\(name)"
        let head = try HTTPRequestHead(method: "GET", target: path, headers: headers)
        guard case .found(.anybody(let answer), _) = Router(files.routes).match(head) else {
            throw CancellationError()
        }
        return answer(head)
    }

    @Test func `the served files are those of the folder, octet by octet: else run scripts/embed-client-files`()
        throws
    {
        let folder = Self.root.appending(path: "clients/js/dist")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".js") }
        #expect(files.names == names.sorted())
        for name in names {
            let response = try answer(name)
            #expect(response.body == (try Self.dist(name)), "\(name)")
            #expect(response.headers["Content-Type"] == "text/javascript; charset=utf-8")
        }
    }

    @Test func `the page about the client has each file's path and integrity: else run scripts/embed-client-files`()
        throws
    {
        let page = try String(contentsOf: Self.root.appending(path: "docs/clients-js.md"), encoding: .utf8)
        for name in files.names {
            let digest = Data(SHA384.hash(data: try Self.dist(name))).base64EncodedString()
            #expect(page.contains("| `/client/\(files.version)/\(name)` | `sha384-\(digest)` |"))
        }
    }

    @Test func `a page of any origin may load it, and a worker may control all of its own`() throws {
        let worker = try answer("belfry-sw.js")
        #expect(worker.headers["Service-Worker-Allowed"] == "/")
        let client = try answer("belfry.js")
        #expect(client.headers["Access-Control-Allow-Origin"] == "*")
        #expect(client.headers["Cross-Origin-Resource-Policy"] == "cross-origin")
        #expect(client.headers["Service-Worker-Allowed"] == nil)
    }

    @Test func `a path that names the version is kept for a year, the other is asked for each time`() throws {
        #expect(try answer("belfry.js").headers["Cache-Control"] == "no-cache")
        let kept = try answer("belfry.js", versioned: true)
        #expect(kept.headers["Cache-Control"] == "public, max-age=31536000, immutable")
    }

    @Test func `compressed it has another tag, and each is recognized by its own alone`() throws {
        let plain = try answer("belfry.js")
        let coded = try answer("belfry.js", ["Accept-Encoding": "gzip, br"])
        #expect((plain.headers["Content-Encoding"], coded.headers["Content-Encoding"]) == (nil, "gzip"))
        #expect(try HTTPContentCoding.gzip.decode(coded.body, maximumBytes: 1 << 20) == plain.body)
        #expect(coded.body.count < plain.body.count / 2)
        let (tag, codedTag) = (try #require(plain.headers["ETag"]), try #require(coded.headers["ETag"]))
        #expect(tag != codedTag)
        #expect(tag.hasPrefix("\"") && codedTag.hasPrefix("\""))
        for response in [plain, coded] { #expect(response.headers["Vary"] == "Accept-Encoding") }
        #expect(try answer("belfry.js", ["If-None-Match": codedTag]).status == 200)
        let known = try answer("belfry.js", ["If-None-Match": codedTag, "Accept-Encoding": "gzip"])
        #expect((known.status, known.headers["ETag"], known.body) == (304, codedTag, []))
        // A browser looks at the headers of a 304, too, before a page may have what it kept.
        #expect(known.headers["Access-Control-Allow-Origin"] == "*")
        #expect(known.headers["Cache-Control"] == "no-cache")
    }
}
