import ArgumentParser
import Inbox
import JSON

struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Let a running server read its catalogs, certificate and keys again.",
        discussion: HelpText.with(
            """
            Prints the catalogs in use. If a catalog has a mistake, all the old catalogs stay in use: every mistake is \
            printed, and the exit code is 1. SIGHUP does the same, and the result is in the server's log.
            """, examples: "belfry reload"))

    @OptionGroup var admin: AdminOptions

    func run() async throws {
        let answer = try await admin.client().call("POST", ["v1", "reload"])
        if admin.json { return Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
        let changed = names(answer, "changed")
        for name in names(answer, "catalogs") { Terminal.print(changed.contains(name) ? "\(name) (changed)" : name) }
        for name in names(answer, "removed") { Terminal.print("\(name) (removed)") }
        for warning in answer.at(["warnings"])?.array ?? [] { Terminal.print("warning: \(line(warning))") }
    }

    /// `rooms.yaml:12: types.X: …`
    private func line(_ warning: JSONValue) -> String {
        let place = [warning.at(["file"])?.string, warning.at(["line"])?.int.map { String($0) }].compactMap(\.self)
        let key = warning.at(["key"])?.string.map { "\($0): " } ?? ""
        return "\(place.joined(separator: ":")): \(key)\(warning.at(["message"])?.string ?? "")"
            .escapingControlCharacters
    }

    private func names(_ answer: JSONValue, _ member: String) -> [String] {
        (answer.at([member])?.array ?? []).compactMap(\.string)
    }
}
