import ArgumentParser
import Inbox
import JSON

struct PushDevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List a user's devices, the one seen last first.",
        discussion: HelpText.with(examples: "belfry push devices --user sarah"))

    @OptionGroup var admin: AdminOptions
    @OptionGroup var about: AppOption

    @Option(help: "The owner of the devices.", transform: UserID.argument)
    var user: UserID

    func run() async throws {
        let answer = try await admin.client(about: about.app).call("GET", ["v1", "users", user.name, "devices"])
        if admin.json { return Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
        let members = ["id", "app", "provider", "platform", "permission", "registeredAt", "lastSeenAt"]
        let rows = (answer.at(["devices"])?.array ?? []).map { device in
            let texts = members.map { device.at([$0])?.string ?? "" }.map { $0.isEmpty ? "-" : $0 }
            return texts + [device.at(["badge"])?.int.map(String.init) ?? "-"]
        }
        let header = ["DEVICE", "APP", "PROVIDER", "PLATFORM", "PERMISSION", "REGISTERED", "LAST SEEN", "BADGE"]
        for line in TextTable(header: header, rows: rows).lines { Terminal.print(line) }
    }
}
