import ArgumentParser
import Gateway

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for mistakes in configurations and catalogs.",
        discussion: HelpText.with(
            """
            Prints OK for each good file, with a summary if it is a catalog, and every mistake in the others, with file, \
            line, key and what was expected. The keys of a file tell whether it is a configuration or a catalog. Catalogs \
            are also checked against each other. The files that a configuration names are read, too: catalogs, keys, \
            secrets and certificates. Parts that work but are probably unintended get a warning. Environment variables \
            are not checked. Exits with 1 if there is a mistake.
            """, examples: "belfry check Config/belfry.yaml Config/catalogs"))

    @Argument(help: "Configuration files, catalogs, or folders of catalogs.")
    var files: [String]

    @Flag(help: "Do not read the files that configurations name: they are on another machine.")
    var elsewhere = false

    func run() async throws {
        let reports = await FileCheck(paths: files, readsNamed: !elsewhere).reports
        for report in reports {
            if report.problems.isEmpty { Terminal.print("OK \(report.file)\(report.summary.map { ": \($0)" } ?? "")") }
            for problem in report.problems { Terminal.print(problem) }
            for warning in report.warnings { Terminal.print("warning: \(warning)") }
        }
        guard reports.allSatisfy(\.problems.isEmpty) else { throw ExitCode.failure }
    }
}
