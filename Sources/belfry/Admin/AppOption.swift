import ArgumentParser
import Inbox

/// The option of a command about people or events, which are an app's.
struct AppOption: ParsableArguments {
    @Option(
        help: "The app in question, where the server has several: its name in the server's auth.apps.",
        transform: AppName.argument)
    var app: AppName?
}
