import ArgumentParser
import JSON

struct PublishersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publishers",
        abstract: "List the publishers that a server knows, their rights and what they have published.",
        discussion: HelpText.with(examples: "belfry publishers"))

    @OptionGroup var admin: AdminOptions

    func run() async throws {
        let answer = try await admin.client().call("GET", ["v1", "publishers"])
        if admin.json { return Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
        let publishers = answer.at(["publishers"])?.array ?? []
        guard !publishers.isEmpty else {
            return Terminal.print("The settings name no publisher: whoever may open the socket may do everything.")
        }
        let rows = publishers.map { publisher in
            [
                publisher.at(["name"])?.string ?? "", Self.identity(publisher), publisher.at(["app"])?.string ?? "any",
                Self.list(publisher.at(["events"]), orElse: "all"), Self.list(publisher.at(["calls"]), orElse: "none"),
                Self.limit(publisher), "\(publisher.at(["published"])?.int ?? 0)", "\(Self.refused(publisher))",
            ]
        }
        let header = ["PUBLISHER", "KNOWN BY", "APP", "EVENTS", "CALLS", "A SECOND", "PUBLISHED", "REFUSED"]
        for line in TextTable(header: header, rows: rows).lines { Terminal.print(line) }
    }

    private static func identity(_ publisher: JSONValue) -> String {
        let numbers = ["uid", "gid"].compactMap { name in publisher.at([name])?.int.map { "\(name) \($0)" } }
        return (numbers + (publisher.at(["hasKey"]) == true ? ["key"] : [])).joined(separator: ", ")
    }

    private static func list(_ value: JSONValue?, orElse none: String) -> String {
        let texts = value?.array?.compactMap(\.string) ?? []
        return texts.isEmpty ? none : texts.joined(separator: ",")
    }

    private static func limit(_ publisher: JSONValue) -> String {
        let number = publisher.at(["eventsPerSecond"])?.int ?? 0
        return number == 0 ? "any" : "\(number)"
    }

    private static func refused(_ publisher: JSONValue) -> Int64 {
        (publisher.at(["refused"])?.object?.members ?? []).reduce(0) { $0 + ($1.value.int ?? 0) }
    }
}
