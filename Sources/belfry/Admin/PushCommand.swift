import ArgumentParser

struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Look at users' devices and the push services, and send test pushes.",
        subcommands: [PushTestCommand.self, PushDevicesCommand.self, PushStatusCommand.self])
}
