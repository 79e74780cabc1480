import ArgumentParser
import Gateway

/// The options of a command that works on a data folder without the server.
struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server's data folder; ./data by default.", valueName: "folder"))
    var data: String?

    @Option(help: "The server's configuration file, which names its data folder.")
    var config: String?

    /// Complains and exits on a mistake in the settings.
    func folder() throws(ExitCode) -> String {
        let flags = data.map { [SettingsReader.Flag("--data", for: "data", [$0])] } ?? []
        return try SettingsOptions.settings(config: config, flags: flags).data
    }
}
