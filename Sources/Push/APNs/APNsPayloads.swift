import Inbox

/// Makes payloads, and keeps templates of the latest contents: a fan-out has thousands of payloads that differ in a few
/// bytes.
package struct APNsPayloads: Sendable {
    private struct Entry: Sendable {
        let content: SharedPushContent
        var use = Use.first
    }

    private enum Use: Sendable {
        /// The content was pushed once; most contents go to one device.
        case first
        case template(APNsPayloadTemplate)
        /// The payload has no template.
        case none
    }

    /// Few events are on their way to many devices at once, and a search through all entries takes less than one
    /// payload.
    private static let entriesKept = 32
    private var entries: [Entry] = []
    /// The index where the next new content replaces an old one.
    private var oldest = 0
    /// The index of the last content, because the next push mostly has the same one.
    private var last = 0

    package init() {}

    /// Appends the message's payload, with the same bytes as ``APNsPayload``.
    package mutating func write(_ message: PushMessage, to bytes: inout [UInt8]) {
        if let template = template(for: message), template.write(message, to: &bytes) { return }
        bytes += APNsPayload(message).bytes
    }

    /// Nil without a template, and for a message that does not fit it.
    private mutating func template(for message: PushMessage) -> APNsPayloadTemplate? {
        guard let content = message.shared else { return nil }
        guard let place = place(of: content) else {
            keep(Entry(content: content))
            return nil
        }
        last = place
        if case .first = entries[place].use, APNsPayloadTemplate.fits(message) {
            entries[place].use = APNsPayloadTemplate(of: message, content).map(Use.template) ?? .none
        }
        if case .template(let template) = entries[place].use { return template }
        return nil
    }

    private func place(of content: SharedPushContent) -> Int? {
        if last < entries.count, entries[last].content === content { return last }
        return entries.indices.first { entries[$0].content === content }
    }

    private mutating func keep(_ entry: Entry) {
        if entries.count < Self.entriesKept { return entries.append(entry) }
        entries[oldest] = entry
        oldest = (oldest + 1) % Self.entriesKept
    }
}
