import ArgumentParser

struct CatalogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Tell people what is in a catalog.",
        subcommands: [CatalogDocsCommand.self])
}
