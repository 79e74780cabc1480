/// Gathers what is wrong with one file, so that an operator sees all of it at once.
final class CatalogIssues {
    private let file: String
    private var found: [CatalogError.Issue] = []
    private var doubtful: [CatalogError.Issue] = []

    init(file: String) { self.file = file }

    var isEmpty: Bool { found.isEmpty }

    var error: CatalogError { CatalogError(issues: Self.inOrder(found)) }

    /// What keeps no catalog from being used, and was hardly meant.
    var warnings: [CatalogError.Issue] { Self.inOrder(doubtful) }

    /// By line: readers go through the file in an order of their own.
    private static func inOrder(_ issues: [CatalogError.Issue]) -> [CatalogError.Issue] {
        issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    func place(line: Int, column: Int) -> CatalogError.Place { .init(file: file, line: line, column: column) }

    func add(line: Int, column: Int, key: String, _ message: String) {
        let issue = CatalogError.Issue(place: place(line: line, column: column), key: key, message: message)
        // One value may be looked at for several reasons: once is enough to say so.
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
