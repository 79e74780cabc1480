import JSON

/// The section about one type.
extension CatalogPage {
    func section(_ type: NotificationType) -> String {
        let ways = ways(to: type)
        guard let way = ways.first else {
            return "## \(Markdown.text(type.name))\n\n" + table(type, ways, nil, nil) + "\n\nNo event leads to it."
        }
        let sample = CatalogSample(of: way.event, to: way.list, as: type)
        do throws(EventProblem) {
            let content = try sample.content(of: type, in: catalog)
            let isInApp = !type.preferences.isPushOnly
            let parts = [
                "## \(Markdown.text(type.name))", table(type, ways, sample, content), isInApp ? "In the app:" : nil,
                isInApp ? block(notification(content)) : nil, content.push.map(push), translations(type, sample),
            ]
            return parts.compactMap(\.self).joined(separator: "\n\n")
        } catch {
            return "## \(Markdown.text(type.name))\n\n" + table(type, ways, sample, nil)
                + "\n\nGive the event \(Markdown.code(way.event.name)) a `sample`, and an example stands here: "
                + "\(Markdown.text(error.description))."
        }
    }

    // MARK: All its notifications

    private func table(
        _ type: NotificationType, _ ways: [Way], _ sample: CatalogSample?, _ content: Content?
    ) -> String {
        let subjects = sample.map { type.subjects(of: $0.event) } ?? []
        let rows: [[String?]] = [
            [
                "comes of",
                ways.map { "\(Markdown.code($0.event.name)) to \(Markdown.code($0.list))" }.joined(separator: ", "),
            ],
            ["category", type.category.map(category)],
            ["a tap opens", content.flatMap(deepLink)],
            ["needs", code(type.requiredPointers)],
            [
                "grows",
                type.batchWindow.map {
                    "for \(Self.words($0)) after its first event; counts and samples are of all its events, everything else "
                        + "is of the event that came last"
                },
            ],
            ["asks", question(type)],
            ["Live Activity", activity(type, sample)],
            ["in the app", presence(type)],
            ["push", content.map { _ in policy(type) }],
            [
                "may be muted by",
                type.preferences.isRequired
                    ? nil
                    : Markdown.text(subjects.compactMap { $0.split(separator: ":").first }.joined(separator: ", ")),
            ],
            ["several as one", content?.groupText.map { Markdown.text($0.text(count: 3)) }],
            ["backends may change", code(type.liveFields.sorted())],
            ["null until a backend changes it", code(type.emptyFields)],
        ]
        let filled = rows.compactMap { row -> [String]? in
            guard let name = row[0], let value = row[1], !value.isEmpty else { return nil }
            return [name, value]
        }
        return MarkdownTable(header: ["", ""], rows: filled).text
    }

    private func code(_ names: [String]) -> String { names.map { Markdown.code($0) }.joined(separator: ", ") }

    private func presence(_ type: NotificationType) -> String {
        let preferences = type.preferences
        if preferences.isPushOnly { return "never, it is only pushed" }
        guard preferences.isRequired else {
            return preferences.inApp ? "unless people switch it off" : "if people switch it on"
        }
        let pushes = type.hasPush && type.push.when != .never ? ", nor its pushes" : ""
        return preferences.inApp
            ? "always: people can neither mute it nor switch it off\(pushes)"
            : "never: it is off, and nobody can switch it on"
    }

    private func question(_ type: NotificationType) -> String? {
        guard let question = type.wording.question else { return nil }
        let actions = question.actions.map { "\(Markdown.code($0.id)): \(Markdown.text($0.words))" }
        let words = actions.joined(separator: ", ")
        guard let usual = question.usual else { return "if the event does, with these words: \(words)" }
        guard let answerBy = usual.answerBy else { return words }
        let fallback = usual.fallback.map { "\(Markdown.code($0)) counts" } ?? "nothing does"
        return "\(words); for \(Self.words(answerBy)), and then \(fallback)"
    }

    private func activity(_ type: NotificationType, _ sample: CatalogSample?) -> String? {
        guard let event = type.activityEvent else { return nil }
        let content = sample.flatMap { type.activity(for: $0.event, own: nil, reader: Reader()) }
        guard let content else { return event.rawValue }
        var parts = ["\(event.rawValue) of \(Markdown.code(content.key))"]
        if let beginning = content.beginning {
            parts.append("\(Markdown.code(beginning.type)) \(Self.code(beginning.attributes))")
        }
        parts.append("shows \(Self.code(content.state))")
        if content.priority == .low { parts.append("low priority") }
        return parts.joined(separator: "; ")
    }

    private static func code(_ object: JSONObject) -> String {
        Markdown.code(String(decoding: JSONValue.object(object).encoded, as: UTF8.self))
    }

    private func category(_ name: String) -> String {
        catalog.category(named: name).map { "\(Markdown.code(name)): \(Markdown.text($0.title()))" }
            ?? Markdown.code(name)
    }

    private func deepLink(_ content: Content) -> String? {
        members(of: content)["deepLink"].map { Markdown.code($0) }
    }

    private func policy(_ type: NotificationType) -> String {
        var parts: [String] = []
        switch type.push.when {
        case .fallback: parts.append("if nobody saw it live")
        case .always: parts.append("always")
        case .never: return "never"
        }
        switch type.push.urgency {
        case .low: parts.append("low urgency")
        case .normal: break
        case .urgent: parts.append("urgent: leaves without a grace and passes quiet hours")
        }
        if let limit = type.push.perHour { parts.append("at most \(limit) an hour") }
        if type.batchWindow != nil { parts.append(timing(type.push.timing)) }
        if !type.preferences.push {
            parts.append(type.preferences.isRequired ? "off, and nobody can switch it on" : "if people switch it on")
        }
        return parts.joined(separator: "; ")
    }

    private func timing(_ timing: PushPolicy.Timing) -> String {
        switch timing {
        case .leading: "at its first event"
        case .each: "at each event"
        case .trailing: "when it has stopped growing"
        }
    }

    /// In the greatest unit that fits.
    private static func words(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        for (length, name) in [(Int64(86_400), "d"), (3_600, "h"), (60, "min")]
        where seconds >= length && seconds % length == 0 { return "\(seconds / length) \(name)" }
        return duration.milliseconds % 1_000 == 0 ? "\(seconds) s" : "\(duration.milliseconds) ms"
    }

    // MARK: The example

    private func notification(_ content: Content) -> JSONValue {
        let notification = Notification(
            id: NotificationID(inbox: 1, sequence: 1), content: content, createdAt: CatalogSample.time, rev: 1, seq: 1,
            isRead: false, isSeen: false)
        var json = JSONWriter()
        notification.write(to: &json)
        return Self.value(json.bytes)
    }

    private func members(of content: Content) -> JSONObject {
        Self.value(Array("{".utf8) + content.body + Array("}".utf8)).object ?? [:]
    }

    /// JSON of Belfry's own writer is valid.
    private static func value(_ bytes: [UInt8]) -> JSONValue { (try? JSONValue(parsing: bytes)) ?? .null }

    private func push(_ push: PushContent) -> String {
        var object: JSONObject = ["title": .string(push.title), "body": .string(push.body)]
        if let group = push.group { object["group"] = .string(group) }
        if let image = push.image { object["image"] = .string(image) }
        object["data"] = .object(push.data)
        var text = "As a push:\n\n" + block(.object(object))
        if let summary = push.summary {
            text +=
                "\n\nSeveral in one push: **\(Markdown.text(summary.title.text(count: 3)))**: "
                + Markdown.text(summary.body.text(count: 3))
        }
        return text
    }

    private func translations(_ type: NotificationType, _ sample: CatalogSample) -> String? {
        let asks = type.wording.question?.usual != nil
        let rows = catalog.languages.compactMap { language -> [String]? in
            let reader = Reader(locale: language)
            // The same example was rendered above, so it has what the type shows.
            guard let content = try? sample.content(of: type, in: catalog, for: reader) else { return nil }
            let push = content.push.map { "**\(Markdown.text($0.title))**: \(Markdown.text($0.body))" }
            let buttons = AskedQuestion(of: content)?.question.actions.map { Markdown.text($0.words) } ?? []
            return [Markdown.text(language), Markdown.text(content.displayText), push ?? ""]
                + (asks ? [buttons.joined(separator: ", ")] : [])
        }
        let header = ["language", "text", "push"] + (asks ? ["buttons"] : [])
        return rows.isEmpty ? nil : MarkdownTable(header: header, rows: rows).text
    }

    private func block(_ value: JSONValue) -> String { "```json\n" + PrettyJSON(value).text + "\n```" }
}
