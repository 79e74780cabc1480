import Inbox

/// Makes payloads, and remembers how those of the last contents began: a fan-out has thousands that differ in a few
/// bytes.
package struct APNsPayloads: Sendable {
    private struct Entry: Sendable {
        let content: SharedPushContent
        var use = Use.first
    }

    private enum Use: Sendable {
        /// It was pushed once. Most contents go to one device.
        case first
        case template(APNsPayloadTemplate)
        /// What its payload holds cannot be told beforehand.
        case none
    }

    /// As many events are on their way to many devices at once, and a look through all takes less than one payload.
    private static let entriesKept = 32
    private var entries: [Entry] = []
    /// Where the next content that is new takes the place of an old one.
    private var oldest = 0
    /// The next push mostly says the same.
    private var last = 0

    package init() {}

    /// Appends what ``APNsPayload`` makes of the message.
    package mutating func write(_ message: PushMessage, to bytes: inout [UInt8]) {
        if let template = template(for: message), template.write(message, to: &bytes) { return }
        bytes += APNsPayload(message).bytes
    }

    /// Nil if there is none yet, or none that fits.
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
