import Yams

extension SourceNode {
    /// Parses one YAML document; nil, with an issue, for invalid YAML.
    static func parse(_ yaml: String, issues: CatalogIssues) -> SourceNode? {
        do {
            guard let root = try Yams.compose(yaml: yaml) else {
                issues.add(line: 1, column: 1, key: "", "the file is empty; expected a catalog")
                return nil
            }
            var left = mostValues
            guard root.fits(in: &left, level: 0) else {
                issues.add(line: 1, column: 1, key: "", tooLarge)
                return nil
            }
            return SourceNode(root, path: "", issues: issues)
        } catch {
            issues.add(syntax: error, in: CatalogText(yaml))
            return nil
        }
    }

    private static let mostValues = 100_000
    private static let tooLarge =
        "expected at most \(mostValues) values on \(Node.mostLevels) levels; what an alias stands for counts each time"

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
        // `{{room.name}}` without quotes: a mapping whose key is a mapping.
        case .mapping(let mapping) where mapping.first?.key.mapping != nil:
            issues.add(line: line, column: column, key: path, CatalogText.quotedBraces)
            value = .scalar("?", isQuoted: true)
        case .mapping(let mapping):
            value = .mapping(mapping.compactMap { Entry($0.key, $0.value, path: path, issues: issues) })
        case .alias:
            issues.add(line: line, column: column, key: path, "expected a value, found an alias")
            return nil
        }
    }
}

extension Node {
    fileprivate static let mostLevels = 100

    /// Whether there are so many values at most. An alias stands for all that it names, so a few lines can stand for more
    /// than any memory holds.
    fileprivate func fits(in left: inout Int, level: Int) -> Bool {
        left -= 1
        guard left >= 0, level <= Self.mostLevels else { return false }
        switch self {
        case .scalar, .alias: return true
        case .sequence(let sequence): return sequence.allSatisfy { $0.fits(in: &left, level: level + 1) }
        case .mapping(let mapping):
            return mapping.allSatisfy {
                $0.key.fits(in: &left, level: level + 1) && $0.value.fits(in: &left, level: level + 1)
            }
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
    fileprivate func add(syntax error: any Error, in text: CatalogText) {
        switch error {
        case YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _):
            // The mistake may be in the line before, or show only in the next line.
            let lines = [mark.line, mark.line - 1] + [context?.mark.line].compactMap(\.self)
            for line in lines {
                guard let cure = text.cure(ofLine: line) else { continue }
                return add(line: line, column: mark.column, key: text.path(atLine: line), cure)
            }
            add(line: mark.line, column: mark.column, key: text.path(atLine: mark.line), "invalid YAML: \(problem)")
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            for key in keys { add(repeated: key, context.mark, in: text) }
        case YamlError.reader(let problem, let offset, _, let yaml):
            let line = yaml.prefix(offset ?? 0).count { $0.isNewline } + 1
            add(line: line, column: 1, key: "", "invalid YAML: \(problem)")
        default:
            add(line: 1, column: 1, key: "", "invalid YAML")
        }
    }

    /// - Parameter mark: the place of a key of the mapping.
    private func add(repeated key: String, _ mark: Mark, in text: CatalogText) {
        let lines = text.lines(of: key, inMappingAtLine: mark.line, column: mark.column)
        guard lines.count > 1 else {
            let message = "\"\(key)\" stands twice in one mapping; expected each key once"
            return add(line: mark.line, column: mark.column, key: text.path(atLine: mark.line), message)
        }
        let message = "this key stands in line \(lines[0]) already; expected each key once"
        add(line: lines[1], column: mark.column, key: text.path(atLine: lines[1]), message)
    }
}
