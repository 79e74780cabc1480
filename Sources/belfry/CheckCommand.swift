import ArgumentParser
import Gateway

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for mistakes in configurations and catalogs.",
        discussion: """
            Prints OK for each good file and every problem of the others. The environment is not looked at.

            Example: belfry check Config/belfry.yaml Config/catalogs/*.yaml
            """)

    @Argument(help: "Configurations or catalogs; their keys tell which.")
    var files: [String]

    func run() throws {
        let reports = FileCheck(files: files).reports
        for report in reports {
            if report.problems.isEmpty { Terminal.print("OK \(report.file)") }
            report.problems.forEach(Terminal.print)
        }
        guard reports.allSatisfy(\.problems.isEmpty) else { throw ExitCode.failure }
    }
}
