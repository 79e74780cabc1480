/// Gathers all mistakes of one file, so that an operator sees them at once.
final class CatalogIssues {
    private let file: String
    private var found: [CatalogError.Issue] = []
    private var doubtful: [CatalogError.Issue] = []

    init(file: String) { self.file = file }

    var isEmpty: Bool { found.isEmpty }

    var error: CatalogError { CatalogError(issues: Self.inOrder(found)) }

    /// Probable mistakes that do not stop the catalog from working.
    var warnings: [CatalogError.Issue] { Self.inOrder(doubtful) }

    /// By line, because readers take the file's keys in an order of their own.
    private static func inOrder(_ issues: [CatalogError.Issue]) -> [CatalogError.Issue] {
        issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    func place(line: Int, column: Int) -> CatalogError.Place { .init(file: file, line: line, column: column) }

    func add(line: Int, column: Int, key: String, _ message: String) {
        let issue = CatalogError.Issue(place: place(line: line, column: column), key: key, message: message)
        // Several readers may look at one value: the same issue is reported once.
        if !found.contains(issue) { found.append(issue) }
    }

    func add(_ node: SourceNode, _ message: String) {
        add(line: node.line, column: node.column, key: node.path, message)
    }

    func warn(line: Int, column: Int, key: String, _ message: String) {
        let issue = CatalogError.Issue(place: place(line: line, column: column), key: key, message: message)
        if !doubtful.contains(issue) { doubtful.append(issue) }
    }

    func warn(_ node: SourceNode, _ message: String) {
        warn(line: node.line, column: node.column, key: node.path, message)
    }

    func warn(_ entry: SourceNode.Entry, _ message: String) {
        warn(line: entry.line, column: entry.column, key: entry.value.path, message)
    }
}
