import Yams

extension SourceNode {
    /// Parses one YAML document; nil, with an issue, for text that is none.
    static func parse(_ yaml: String, issues: CatalogIssues) -> SourceNode? {
        do {
            guard let root = try Yams.compose(yaml: yaml) else {
                issues.add(line: 1, column: 1, key: "", "the file is empty; expected a catalog")
                return nil
            }
            return SourceNode(root, path: "", issues: issues)
        } catch {
            issues.add(syntax: error)
            return nil
        }
    }

    private init?(_ node: Node, path: String, issues: CatalogIssues) {
        self.path = path
        line = node.mark?.line ?? 1
        column = node.mark?.column ?? 1
        switch node {
        case .scalar(let scalar):
            value = .scalar(scalar.string, isQuoted: scalar.style != .plain)
        case .sequence(let sequence):
            value = .list(
                sequence.enumerated().compactMap { index, node in
                    SourceNode(node, path: "\(path)[\(index)]", issues: issues)
                })
        case .mapping(let mapping):
            value = .mapping(mapping.compactMap { Entry($0.key, $0.value, path: path, issues: issues) })
        case .alias:
            issues.add(line: line, column: column, key: path, "expected a value, found an alias")
            return nil
        }
    }
}

extension SourceNode.Entry {
    fileprivate init?(_ key: Node, _ value: Node, path: String, issues: CatalogIssues) {
        let (line, column) = (key.mark?.line ?? 1, key.mark?.column ?? 1)
        guard let name = key.scalar?.string else {
            issues.add(line: line, column: column, key: path, "expected a plain key")
            return nil
        }
        let path = path.isEmpty ? name : "\(path).\(name)"
        guard let value = SourceNode(value, path: path, issues: issues) else { return nil }
        self.init(key: name, line: line, column: column, value: value)
    }
}

extension CatalogIssues {
    fileprivate func add(syntax error: any Error) {
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            add(line: mark.line, column: mark.column, key: "", "invalid YAML: \(problem)")
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            let names = keys.map { "\"\($0)\"" }.joined(separator: ", ")
            let message = "expected each key once in a mapping; found again: \(names) (this is the first)"
            add(line: context.mark.line, column: context.mark.column, key: keys.first ?? "", message)
        case YamlError.reader(let problem, let offset, _, let yaml):
            let line = yaml.prefix(offset ?? 0).count { $0.isNewline } + 1
            add(line: line, column: 1, key: "", "invalid YAML: \(problem)")
        default:
            add(line: 1, column: 1, key: "", "invalid YAML")
        }
    }
}
