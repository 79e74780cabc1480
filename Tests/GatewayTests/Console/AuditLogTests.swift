import Foundation
import Inbox
import JSON
import Logging
import Testing

@testable import Gateway

struct AuditLogTests {
    private let who = ConsoleOperator(name: "Ana", way: .password)

    private func entry(_ action: String, _ subjects: [String] = [], query: String? = nil) -> AuditEntry {
        AuditEntry(
            at: Timestamp(milliseconds: 1_800_000_000_000), who: who, address: "10.0.0.7", action: action,
            subjects: subjects, query: query)
    }

    private func log(in folder: String) -> AuditLog {
        AuditLog(folder: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func write(_ entry: AuditEntry, to log: AuditLog) async -> Bool {
        await withCheckedContinuation { continuation in log.write(entry) { continuation.resume(returning: $0) } }
    }

    @Test func `a line tells who did what, to whom, and from where`() throws {
        let json = try JSONValue(parsing: entry("POST /v1/users/{user}/test-push", ["sarah"], query: "app=a").line)
        #expect(
            json == [
                "at": "2027-01-15T08:00:00.000Z", "who": "Ana", "by": "password", "address": "10.0.0.7",
                "action": "POST /v1/users/{user}/test-push", "about": ["sarah"], "query": "app=a",
            ])
    }

    @Test func `an erased person is not named, but can be found by whoever knows the name`() {
        let line = String(decoding: entry("DELETE /v1/users/{user}", ["sarah"]).line, as: UTF8.self)
        #expect(!line.contains("sarah"))
        #expect(line.contains("sha256:"))
        #expect(line.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["\u{1B}[2J", "\u{9B}2J", "\u{85}", "\u{2028}", "\u{202E}abc", "\r\n{}", "\u{0}"])
    func `a text that would move a terminal, or turn a line around, is escaped`(text: String) throws {
        let line = String(decoding: entry("POST /a", [text]).line, as: UTF8.self)
        #expect(
            line.hasSuffix("\n")
                && line.dropLast().unicodeScalars.allSatisfy { (" "..."~").contains($0) || $0 > "\u{3000}" })
        #expect(try JSONValue(parsing: Array(line.utf8)).at(["about"]) == [.string(text)])
    }

    @Test func `a link in the place of the file is not followed`() async throws {
        let folder = NSTemporaryDirectory() + "belfry-audit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = log(in: folder)
        try FileManager.default.createSymbolicLink(atPath: log.path, withDestinationPath: folder + "/elsewhere")
        #expect(await write(entry("one"), to: log) == false)
        #expect(!FileManager.default.fileExists(atPath: folder + "/elsewhere"))
    }

    @Test func `lines are kept in their order, in a file for nobody else`() async throws {
        let folder = NSTemporaryDirectory() + "belfry-audit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = log(in: folder)
        for action in ["one", "two", "three"] { #expect(await write(entry(action), to: log)) }
        let lines = await withCheckedContinuation { continuation in log.read(2) { continuation.resume(returning: $0) } }
        #expect(try lines.map { try JSONValue(parsing: $0).at(["action"]) } == ["two", "three"])
        let mode = try FileManager.default.attributesOfItem(atPath: log.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `without a folder no line is written, and the writer hears of it`() async {
        let log = log(in: NSTemporaryDirectory() + "belfry-audit-missing-" + UUID().uuidString)
        #expect(await write(entry("one"), to: log) == false)
    }
}
