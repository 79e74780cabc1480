import ArgumentParser

struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "See and try what reaches people's phones.",
        subcommands: [PushTestCommand.self, PushDevicesCommand.self, PushStatusCommand.self])
}
