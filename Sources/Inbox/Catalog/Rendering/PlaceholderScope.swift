/// Which placeholders may stand in a template, and what they mean there.
struct PlaceholderScope {
    /// What an event says that its `data` holds.
    struct DeclaredData {
        let event: String
        let paths: [[String]]
    }

    /// Whether `actor` is the event's actor; within a batch's element it is a member like any other.
    var hasActor = true
    var hasPreview = false
    /// The names of the type's `previews`, `times`, `words` and `parts`.
    var derivedNames: [String] = []
    /// Which of the preview and the derived values an event may lack.
    var optionalNames: Set<String> = []
    /// The path of the batch's list; nil where there is no batch.
    var list: [String]?
    /// Whether the batch's elements have a kind.
    var hasKind = false
    /// Whether `count` is the number of notifications that one push stands for.
    var isSummary = false
    /// Whether `people` is the number of those whose doing these tell of.
    var countsPeople = false
    /// The data of the events that lead here; an event that declares none may hold anything.
    var declared: [DeclaredData] = []
    /// False where only derived values make sense.
    var hasData = true
    /// The language of the texts.
    var locale = "en"
    /// Notes what is used; nil if nobody asks.
    var used: UsedData?
    /// The paths of what is used of a list's elements, while its path is read; nil for all values that count as a
    /// whole.
    var usedElements: [[String]]?

    /// A batch's element: all paths start at the element.
    static var element: PlaceholderScope { PlaceholderScope(hasActor: false) }
    /// A noun's form: there is nothing but the count.
    static func noun(in locale: String) -> PlaceholderScope {
        PlaceholderScope(hasActor: false, list: [], hasData: false, locale: locale)
    }
    /// A push for several types' notifications: there is nothing but their number.
    static func digest(in locale: String) -> PlaceholderScope {
        PlaceholderScope(hasActor: false, isSummary: true, hasData: false, locale: locale)
    }

    /// - Parameter isText: whether the value is to be printed, so that an object would not do.
    func placeholder(for path: [String], isText: Bool) throws(TemplateError) -> Placeholder {
        if hasActor, path[0] == "actor" { return path.count == 1 ? .actorName : .actor(Array(path.dropFirst())) }
        if path.count == 1, let own = own(path[0]) {
            used?.note(derived: path[0])
            return own
        }
        if isSummary, path == ["count"] { return .folded }
        if countsPeople, path == ["people"] { return .people }
        if let list {
            if path == list, isText { return .phrase }
            if path == ["count"] { return .count }
            if hasKind, path == ["kind"] { return .kind }
        }
        guard hasData else { throw TemplateError("unknown placeholder; expected {{count}}") }
        for data in declared where !data.paths.contains(where: { reaches(path, by: $0, isText: isText) }) {
            throw TemplateError(unknown: path, in: data, derived: derived)
        }
        used?.note(path, elements: usedElements)
        return .data(path)
    }

    /// What the type makes under this name.
    private func own(_ name: String) -> Placeholder? {
        if hasPreview, name == "preview" { return .preview }
        return derivedNames.contains(name) ? .derived(name) : nil
    }

    /// The name of a placeholder whose value an event may lack; nil if it cannot.
    func optionalName(of placeholder: Placeholder) -> String? {
        let name: String? =
            switch placeholder {
            case .preview: "preview"
            case .derived(let name): name
            case .actorName, .actor, .data, .phrase, .count, .kind, .folded, .people: nil
            }
        return name.flatMap { optionalNames.contains($0) ? $0 : nil }
    }

    private func reaches(_ path: [String], by declared: [String], isText: Bool) -> Bool {
        path.starts(with: declared) || (!isText && declared.starts(with: path))
    }

    /// What may be written beside the paths into `data`, for a message.
    private var derived: [String] {
        var names: [String] = []
        if hasActor { names.append("actor") }
        if hasPreview { names.append("preview") }
        names += derivedNames
        if isSummary || list != nil { names.append("count") }
        if countsPeople { names.append("people") }
        if hasKind { names.append("kind") }
        return names
    }
}

extension TemplateError {
    fileprivate init(unknown path: [String], in data: PlaceholderScope.DeclaredData, derived: [String]) {
        let name = path.joined(separator: ".")
        let known = data.paths.map { $0.joined(separator: ".") } + derived
        self.init("the data of event \"\(data.event)\" has no \"\(name)\"\(Spelling.hint(for: name, among: known))")
    }
}
