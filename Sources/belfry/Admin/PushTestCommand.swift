import ArgumentParser
import Inbox
import JSON

struct PushTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a test push to each of a user's devices, and explain what the providers say.",
        discussion: HelpText.with(
            """
            Asks a running server, which sends at once. Prints a line a device with the provider's verdict and what to \
            do about it. If the provider says that a device is gone, the server forgets it. \
            Exits with 1 if no device was reached.
            """, examples: "belfry push test --user sarah"))

    @OptionGroup var admin: AdminOptions
    @OptionGroup var about: AppOption

    @Option(help: "The owner of the devices.", transform: UserID.argument)
    var user: UserID

    @Option(help: ArgumentHelp("Only the device with this id.", valueName: "id"))
    var device: String?

    @Option(help: "The push's title.")
    var title: String?

    @Option(help: "The push's text.")
    var body: String?

    func run() async throws {
        var request = JSONWriter()
        request.object { json in
            if let device { json.member("device", device) }
            if let title { json.member("title", title) }
            if let body { json.member("body", body) }
        }
        let answer = try await admin.client(about: about.app).call(
            "POST", ["v1", "users", user.name, "test-push"], body: request.bytes)
        let results = answer.at(["results"])?.array ?? []
        if admin.json { Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) } else { print(results) }
        guard results.contains(where: { $0.at(["verdict"]) == "accepted" }) else { throw ExitCode.failure }
    }

    private func print(_ results: [JSONValue]) {
        if results.isEmpty { return Terminal.complain("\(user.name) has no devices") }
        let rows = results.map { result in
            ["device", "provider", "verdict"].map { result.at([$0])?.string ?? "" }
                + ["\(result.at(["milliseconds"])?.int ?? 0) ms", Self.reason(result)]
        }
        for line in TextTable(header: ["DEVICE", "PROVIDER", "VERDICT", "TIME", "REASON"], rows: rows).lines {
            Terminal.print(line)
        }
        for result in results {
            Terminal.print("")
            Terminal.print("\(result.at(["device"])?.string ?? ""): \(result.at(["explanation"])?.string ?? "")")
        }
    }

    private static func reason(_ result: JSONValue) -> String {
        if let reason = result.at(["reason"])?.string { return reason }
        if let seconds = result.at(["retryAfter"])?.int { return "try again in \(seconds) s" }
        if result.at(["forgotten"]) == true { return "forgotten" }
        return ""
    }
}
