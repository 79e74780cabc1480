import ArgumentParser
import Gateway

/// The options of a command that works on a data folder without the server.
struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server's data folder; ./data by default.", valueName: "folder"))
    var data: String?

    @Option(help: "The server's configuration file, which names its data folder.")
    var config: String?

    /// Complains and exits on a mistake in the settings, and if the store is not in the folder.
    ///
    /// - Parameter instead: what does the same for a store in PostgreSQL.
    func folder(instead: String) throws(ExitCode) -> String {
        let flags = data.map { [SettingsReader.Flag("--data", for: "data", [$0])] } ?? []
        let settings = try SettingsOptions.settings(config: config, flags: flags)
        guard settings.store.url == nil else {
            Terminal.complain(
                "the settings name a store in PostgreSQL, and this command is for a store in the data folder: use "
                    + "\(instead) (docs/operations.md, \"A store in PostgreSQL\")")
            throw .failure
        }
        return settings.data
    }
}
