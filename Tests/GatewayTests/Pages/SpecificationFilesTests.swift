import Foundation
import Testing
import WireProtocol

@testable import Gateway

/// The specifications, as the listeners serve them.
struct SpecificationFilesTests {
    private static let docs = URL(filePath: #filePath).appending(path: "../../../../docs").standardized

    private static func page(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: docs.appending(path: name)))
    }

    private func answer(_ path: String, in files: SpecificationFiles) throws -> HTTPResponse? {
        let head = try HTTPRequestHead(method: "GET", target: path, headers: ["Host": "localhost"])
        guard case .found(let answer, _) = Router(files.routes { $0 }).match(head) else { return nil }
        return answer(head)
    }

    @Test func `the program has the specifications of the folder: else run scripts/embed-client-files`() throws {
        let schemas = try FileManager.default.contentsOfDirectory(atPath: Self.docs.appending(path: "schemas").path)
        let names = ["asyncapi.yaml", "openapi-public.yaml", "openapi.yaml"] + schemas.map { "schemas/\($0)" }
        #expect(EmbeddedFiles.specifications.map(\.name).sorted() == names.sorted())
        for (name, content) in EmbeddedFiles.specifications {
            let bytes = Array(UnsafeBufferPointer(start: content.utf8Start, count: content.utf8CodeUnitCount))
            #expect(bytes == (try Self.page(name)), "\(name)")
        }
    }

    @Test func `operators get all calls at the path where apps get theirs, and pages of any origin may read those`()
        throws
    {
        let served = [(SpecificationFiles.operators, "openapi.yaml", nil), (.apps, "openapi-public.yaml", "*")]
        for (files, name, readers) in served {
            let response = try #require(try answer("/openapi.yaml", in: files))
            #expect(response.body == (try Self.page(name)))
            #expect(response.headers["Content-Type"] == "application/yaml; charset=utf-8")
            #expect(response.headers["Access-Control-Allow-Origin"] == readers)
        }
    }

    @Test(arguments: ["/schemas/event.json", "/schemas/settings.json"])
    func `what backends and operators write is no business of the public listener`(_ path: String) throws {
        #expect(try answer(path, in: .operators)?.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(try answer(path, in: .apps) == nil)
    }

    @Test(arguments: ["/asyncapi.yaml", "/schemas/frames.json"])
    func `the live protocol's specification is the same on both listeners`(_ path: String) throws {
        let own = try #require(try answer(path, in: .apps))
        #expect(own.status == 200)
        #expect(try answer(path, in: .operators)?.body == own.body)
    }
}
