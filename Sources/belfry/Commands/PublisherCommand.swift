import ArgumentParser

struct PublisherCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publisher",
        abstract: "Make keys for publishers.",
        subcommands: [PublisherKeyCommand.self])
}
