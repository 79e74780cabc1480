import ArgumentParser

struct CatalogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Write documentation of catalogs.",
        subcommands: [CatalogDocsCommand.self])
}
