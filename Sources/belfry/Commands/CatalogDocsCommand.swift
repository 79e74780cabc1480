import ArgumentParser
import Foundation
import Gateway
import Inbox

struct CatalogDocsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs",
        abstract: "Write a page about a catalog: every event, and every type with an example.",
        discussion: HelpText.with(
            """
            The page is Markdown. The examples are rendered from the events' `sample`, or made up from the paths that a \
            type needs.
            """, examples: "belfry catalog docs Config/catalogs/*.yaml --output docs/catalogs"))

    @Argument(help: "Catalogs.")
    var files: [String]

    @Option(
        help:
            "The folder for the pages, one a catalog, named like its file. Made if it is missing; without it they are printed."
    )
    var output: String?

    func run() throws {
        // All pages are made before any is written: after a mistake in one of them no file has changed.
        let pages = try files.map { file in (file, try page(of: file)) }
        for (file, page) in pages {
            guard let output else {
                Terminal.print(page: page.trimmingCharacters(in: .newlines))
                continue
            }
            let name = URL(filePath: file).deletingPathExtension().lastPathComponent + ".md"
            let folder = URL(filePath: output, directoryHint: .isDirectory)
            let path = folder.appending(path: name).path
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try page.write(toFile: path, atomically: true, encoding: .utf8)
            } catch {
                Terminal.complain("cannot write \(path): \(error.localizedDescription)")
                throw ExitCode.failure
            }
        }
    }

    private func page(of file: String) throws -> String {
        do {
            return CatalogPage(try Catalog(yaml: TextFile.read(file), file: file)).markdown
        } catch {
            Terminal.complain(page: "\(error)")
            throw ExitCode.failure
        }
    }
}
