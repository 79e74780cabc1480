import JSON

@testable import Inbox

/// Catalogs, as people write them: read always in the same way, with a place for each mistake; and a catalog that is taken
/// renders whatever events it lets in.
///
/// The first byte chooses: a catalog as it is, or one that the other bytes make up.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzCatalog(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (selector, rest) = FuzzInput(start, count).selectorAndRest
    if selector % 2 == 0 {
        var choices = Choices([])
        judge(String(decoding: rest, as: UTF8.self), &choices)
    } else {
        var made = CatalogChoices(rest)
        let whole = made.catalog().encoded
        let text = made.choices.broken(whole)
        // Behind a text that is cut off, a comment may be a part of it.
        judge(String(decoding: text, as: UTF8.self), ending: text == whole ? "\n# a comment\n" : "", &made.choices)
    }
    return 0
}

/// - Parameter ending: what changes nothing.
private func judge(_ yaml: String, ending: String = "", _ choices: inout Choices) {
    switch (read(yaml), read(yaml + ending)) {
    case (.success(let catalog), .success(let again)):
        claimEqual(CatalogPage(catalog).markdown, CatalogPage(again).markdown, "a comment changes the catalog")
        claimEqual(catalog.warnings, again.warnings, "a comment changes the warnings")
        judge(catalog.warnings, lines: yaml.lineCount)
        judge(catalog, &choices)
    case (.failure(let error), .failure(let again)):
        claimEqual(again, error, "a comment changes the mistakes")
        judge(error.issues, lines: yaml.lineCount)
    case (.success, .failure), (.failure, .success): fatalError("a comment changes whether a catalog is taken")
    }
}

private func read(_ yaml: String) -> Result<Catalog, CatalogError> {
    Result { () throws(CatalogError) in try Catalog(yaml: yaml, file: "made.yaml") }
}

private func judge(_ issues: [CatalogError.Issue], lines: Int) {
    for issue in issues {
        claim((1...lines + 1).contains(issue.line) && issue.column >= 0, "a mistake in line \(issue.line) of \(lines)")
        claim(!issue.message.isEmpty, "a mistake without words")
    }
}

extension String {
    fileprivate var lineCount: Int {
        unicodeScalars.count { "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) } + 1
    }
}

// MARK: Rendering

private func judge(_ catalog: Catalog, _ choices: inout Choices) {
    for rule in catalog.eventRules {
        for route in rule.routes {
            let sample = CatalogSample(of: rule, to: route.list, as: route.type).event
            judge(sample, in: catalog, &choices)
            var other = sample
            other.data = CatalogChoices.data(&choices)
            judge(other, in: catalog, &choices)
        }
    }
}

private func judge(_ event: Event, in catalog: Catalog, _ choices: inout Choices) {
    let routed: RoutedEvent
    do throws(EventProblem) {
        routed = try catalog.route(event, at: CatalogSample.time)
    } catch {
        claim(error.pointer.isEmpty || error.pointer.hasPrefix("/"), "a pointer that begins nowhere: \(error.pointer)")
        return
    }
    let reader = Reader(
        locale: choices.pick([nil, "de", "pt-BR", "x"]), zone: choices.pick([nil, "Europe/Berlin", "x"]))
    for route in routed.routes {
        let type = route.type
        var batch: Batch?
        for _ in 0..<2 {
            let content = type.content(for: routed.event, reader: reader, at: CatalogSample.time, growing: batch)
            judge(content)
            batch = content.batch
        }
        let key = type.batchKey(for: routed.event)
        claim(key == nil || batch != nil, "a batch without a window")
        _ = type.subjects(of: routed.event)
    }
}

private func judge(_ content: Content) {
    let notification = Notification(
        id: NotificationID(inbox: 1, sequence: 1), content: content, createdAt: CatalogSample.time, rev: 1, seq: 1,
        isRead: false, isSeen: false)
    var json = JSONWriter(capacity: 256)
    notification.write(to: &json)
    guard let read = json.bytes.withOwnMemory({ try? JSONValue(parsing: $0) }), let object = read.object else {
        fatalError("a notification that is no JSON: \(String(decoding: json.bytes, as: UTF8.self))")
    }
    claimEqual(Set(object.keys).count, object.keys.count, "a notification with a member twice: \(object.keys)")
    claimEqual(content.batch.flatMap { Batch(json: $0.json) }, content.batch, "a batch that changes when stored")
    if let push = content.push {
        let stored = push.encoded.withOwnMemory { try? JSONValue(parsing: $0) }
        claimEqual(stored.flatMap(PushContent.init(json:)), push, "a push that changes when stored")
    }
    if let text = content.groupText {
        let stored = text.encoded.withOwnMemory { try? JSONValue(parsing: $0) }
        claimEqual(stored.flatMap(CountedText.init(json:)), text, "a group's text that changes when stored")
    }
}
