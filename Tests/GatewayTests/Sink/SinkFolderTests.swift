import Foundation
import JSON
import Push
import Testing
import Transport

@testable import Gateway

struct SinkFolderTests {
    @Test func `a second start finds what the first one made`() throws {
        let folder = try TemporaryFolder()
        func variables() throws -> [String] {
            try SinkFolder(folder.path).variables(for: .tcp(host: "127.0.0.1", port: 9_443)).map { "\($0)=\($1)" }
        }
        let first = try variables()
        let key = try TextFile.read(folder.path + "/apns.p8")
        #expect(try variables() == first)
        #expect(try TextFile.read(folder.path + "/apns.p8") == key)
    }

    @Test func `the senders' own code can read the files it makes`() throws {
        let folder = try TemporaryFolder()
        let sink = try SinkFolder(folder.path)
        let list = try sink.variables(for: .tcp(host: "127.0.0.1", port: 9_443)).map { ($0.name, $0.value) }
        let variables = Dictionary(uniqueKeysWithValues: list)
        let account = try ServiceAccount(parsing: TextFile.read(variables["FCM_SERVICE_ACCOUNT_PATH"] ?? ""))
        #expect(account.tokenURI == "https://127.0.0.1:9443/token")
        #expect(account.projectID == "belfry-sink")
        #expect(try VAPIDKey(TextFile.read(variables["VAPID_PRIVATE_KEY_PATH"] ?? "")).publicKey.utf8.count == 87)
        #expect(variables["BELFRY_PUSH_WEB_PUSH_HOSTS"] == "127.0.0.1:9443")
        for name in ["APNS", "FCM", "ONESIGNAL", "WEBPUSH"] {
            #expect(variables["\(name)_ENDPOINT"] == "https://127.0.0.1:9443")
            #expect(variables["\(name)_CA_FILE"] == sink.certificateFile)
        }
    }

    @Test(arguments: ["apns.p8", "vapid.pem", "fcm-key.pem", "fcm-service-account.json", "identity.json", "key.pem"])
    func `other users cannot read its keys`(file: String) throws {
        let folder = try TemporaryFolder()
        _ = try SinkFolder(folder.path).variables(for: .tcp(host: "127.0.0.1", port: 1))
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(file)")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [("", "localhost"), ("0.0.0.0", "localhost"), ("::", "localhost"), ("::1", "[::1]"), ("h", "h")])
    func `every address of the machine is reached by the name that the certificate has`(host: String, name: String) {
        #expect(SinkFolder.baseURL(of: .tcp(host: host, port: 9_443)) == "https://\(name):9443")
    }

    @Test func `a file that no sink wrote is named`() throws {
        let folder = try TemporaryFolder()
        try folder.file("identity.json", "{}")
        let error = #expect(throws: ServerError.self) { try SinkFolder(folder.path) }
        #expect(error?.description.contains("identity.json") == true)
    }

    @Test func `a key for APNs that is none is named`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("wrong.pem", "no key")
        let sink = try SinkFolder(folder.path + "/sink")
        let error = #expect(throws: ServerError.self) {
            try APNsService().makeSinkService(
                SinkParts(folder: sink, apnsKeyFile: file, baseURL: "https://localhost", origins: []))
        }
        #expect(error?.description == "\(file): expected an EC key on P-256 in PEM form")
    }

    @Test func `records are appended, a line each, and none is missing at the end`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("record.ndjson", "{\"earlier\":1}\n")
        let recorder = try SinkRecorder(appendingTo: path)
        for index in 0..<5_000 { recorder.append(Array("{\"number\":\(index)}".utf8)) }
        let failure = await withCheckedContinuation { continuation in
            recorder.close { continuation.resume(returning: $0) }
        }
        #expect(failure == nil)
        let lines = try TextFile.read(path).split(separator: "\n")
        #expect(lines.count == 5_001)
        #expect(lines.last == "{\"number\":4999}")
    }
}
