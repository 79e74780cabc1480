import ArgumentParser
import Gateway

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for mistakes in configurations and catalogs.",
        discussion: HelpText.with(
            """
            Prints OK for each good file, and of a catalog what is in it; of the others every mistake, with file, line, key \
            and what was expected. Catalogs are also checked against each other. A folder stands for the catalogs in it, \
            as it does for the server. What works in a catalog and was hardly meant is told as a warning. The environment \
            is not looked at. Exits with 1 if there is a mistake.
            """, examples: "belfry check Config/belfry.yaml Config/catalogs"))

    @Argument(help: "Configurations and catalogs, which their keys tell apart, or folders of them.")
    var files: [String]

    func run() throws {
        let reports = FileCheck(paths: files).reports
        for report in reports {
            if report.problems.isEmpty { Terminal.print("OK \(report.file)\(report.summary.map { ": \($0)" } ?? "")") }
            for problem in report.problems { Terminal.print(problem) }
            for warning in report.warnings { Terminal.print("warning: \(warning)") }
        }
        guard reports.allSatisfy(\.problems.isEmpty) else { throw ExitCode.failure }
    }
}
