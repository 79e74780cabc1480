import ArgumentParser
import JSON

struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Show how the endpoints of webhooks do, and send dead letters again.",
        subcommands: [Status.self, Dead.self, Replay.self], defaultSubcommand: Status.self)

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "List the endpoints, and how many webhooks wait or were given up.",
            discussion: HelpText.with(examples: "belfry webhooks"))

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            let answer = try await admin.client().call("GET", ["v1", "webhooks"])
            if admin.json { return Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
            let endpoints = answer.at(["endpoints"])?.array ?? []
            guard !endpoints.isEmpty else { return Terminal.print("The settings name no endpoint of webhooks.") }
            let rows = endpoints.map { endpoint in
                [endpoint.at(["name"])?.string ?? "", endpoint.at(["gone"]) == true ? "gone" : "open"]
                    + ["sent", "failed", "waiting", "dead"].map { "\(endpoint.at([$0])?.int ?? 0)" }
            }
            let header = ["ENDPOINT", "STATE", "SENT", "FAILED TRIES", "WAITING", "DEAD"]
            for line in TextTable(header: header, rows: rows).lines { Terminal.print(line) }
        }
    }

    struct Dead: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dead", abstract: "List an endpoint's newest dead letters, at most a hundred.",
            discussion: HelpText.with(examples: "belfry webhooks dead backend"))

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The endpoint's name in the settings.") var endpoint: String

        func run() async throws {
            let answer = try await admin.client().call("GET", ["v1", "webhooks", endpoint])
            if admin.json { return Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
            let rows = (answer.at(["deadLetters"])?.array ?? []).map { letter in
                [
                    letter.at(["deadSince"])?.string ?? "", letter.at(["id"])?.string ?? "",
                    letter.at(["payload", "type"])?.string ?? "", "\(letter.at(["tries"])?.int ?? 0)",
                    letter.at(["reason"])?.string ?? "",
                ]
            }
            if rows.isEmpty { return Terminal.print("There are no dead letters.") }
            let header = ["DEAD SINCE", "ID", "TYPE", "TRIES", "LAST REASON"]
            for line in TextTable(header: header, rows: rows).lines { Terminal.print(line) }
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay", abstract: "Send all dead letters of an endpoint again.",
            discussion: HelpText.with(examples: "belfry webhooks replay backend"))

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The endpoint's name in the settings.") var endpoint: String

        func run() async throws {
            let answer = try await admin.client().call("POST", ["v1", "webhooks", endpoint, "replay"])
            if admin.json { return Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
            let count = answer.at(["replayed"])?.int ?? 0
            Terminal.print(count == 1 ? "1 webhook is sent again." : "\(count) webhooks are sent again.")
        }
    }
}
