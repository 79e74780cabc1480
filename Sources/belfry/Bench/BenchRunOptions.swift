import ArgumentParser
import Bench
import Glibc
import Inbox

/// The common options of all benches: the server, the duration, and the places for the result.
struct BenchRunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server's data folder: its socket and its development secret are there.", valueName: "folder"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The server's configuration file, for its folder, socket and token rules.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            """
            The app that is loaded, where the server has several: its name in auth.apps of the configuration file \
            (--config). The sessions' users, the events and the feed are that app's.
            """, valueName: "name"),
        transform: AppName.argument)
    var app: AppName?

    @Option(help: ArgumentHelp("The server's Unix socket; the data folder's if not given.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp("How long to measure, such as 10s or 5m.", valueName: "duration"),
        transform: Duration.argument)
    var duration = Duration.seconds(10)

    @Option(
        help: ArgumentHelp(
            """
            The server's process, for its CPU and memory, if it runs on this machine; without it, the process that listens \
            at the Unix socket, if --url is this machine's loopback address.
            """, valueName: "pid"))
    var serverPid: Int32?

    @Option(help: ArgumentHelp("What the names of the users begin with; a number follows.", valueName: "text"))
    var userPrefix = "bench-"

    @Option(
        help: ArgumentHelp(
            "Write the result as JSON to this file; - for standard output in place of the tables.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write the result as a page with plots to this file.", valueName: "file"))
    var html: String?

    @Flag(help: "Show no progress.")
    var quiet = false

    func validate() throws {
        guard html != "-" else { throw ValidationError("--html takes a file's name") }
        guard html == nil || html != json else { throw ValidationError("--json and --html take a file each") }
        guard duration >= .seconds(1) else { throw ValidationError("--duration is a second or more") }
    }

    /// Checks the output files, before a measurement that could not be written down.
    /// - Throws: ``BenchFailure``
    func checkFiles() throws {
        for (option, path) in [("--json", json), ("--html", html)] {
            guard let path, path != "-" else { continue }
            var file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            // A new file is removed again, so that an existing file always holds a result.
            if file >= 0 { unlink(path) } else if errno == EEXIST { file = open(path, O_WRONLY | O_CLOEXEC) }
            guard file >= 0 else {
                throw BenchFailure("\(option): \(path) cannot be written: \(String(cString: strerror(errno)))")
            }
            close(file)
        }
    }
}
