import Deliveries
import Inbox
import Push

/// Devices and topics.
final class MemoryPeople: MemoryPart, DeviceRows {
    private func devices(_ isMeant: (DeviceRecord) -> Bool) -> [DeviceRecord] {
        state.devices.values.filter(isMeant).sorted {
            ($0.device.app, $0.device.id, $0.row) < ($1.device.app, $1.device.id, $1.row)
        }
    }

    func record(row: Int64) -> DeviceRecord? { state.devices[row] }

    func record(inbox: Int64, app: String, id: String) -> DeviceRecord? {
        devices { $0.inbox == inbox && $0.device.app.isExactly(app) && $0.device.id.isExactly(id) }.first
    }

    func record(provider: Device.Provider, token: String, in app: AppName) -> DeviceRecord? {
        devices {
            $0.device.provider == provider && $0.device.token.isExactly(token)
                && state.inboxes[$0.inbox]?.user.app == app
        }.first
    }

    func records(inbox: Int64) -> [DeviceRecord] { devices { $0.inbox == inbox } }

    func records(lastSeenBefore time: Timestamp, limit: Int) -> [DeviceRecord] {
        let old = devices { $0.device.lastSeenAt < time }
        return Array(old.sorted { ($0.device.lastSeenAt, $0.row) < ($1.device.lastSeenAt, $1.row) }.prefix(limit))
    }

    func targets(inbox: Int64, app: String) -> [DeviceTarget] {
        let meant = devices { device in
            device.inbox == inbox && (app.isEmpty || device.device.app.isEmpty || device.device.app.isExactly(app))
                && device.device.permission != .denied && !device.device.awaitsToken
        }
        return meant.map { DeviceTarget(row: $0.row, provider: $0.device.provider) }
    }

    func freeRow() -> Int64? {
        let (highest, last) = (
            state.devices.keys.max() ?? 0, min(memory.maximumDevices, PushJobNumber.devices.upperBound)
        )
        return highest < last ? highest + 1 : (1...last).first { state.devices[$0] == nil }
    }

    func insert(_ device: Device, inbox: Int64, row: Int64, in app: AppName) {
        state.devices[row] = DeviceRecord(row: row, inbox: inbox, device: device, badge: nil, isDamaged: false)
    }

    private func change(_ row: Int64, device: Device? = nil, badge: DeviceRecord.Badge? = nil) {
        guard let known = state.devices[row] else { return }
        state.devices[row] = DeviceRecord(
            row: row, inbox: known.inbox, device: device ?? known.device, badge: badge ?? known.badge, isDamaged: false)
    }

    func update(row: Int64, to device: Device, in app: AppName) { change(row, device: device) }
    func write(_ badge: DeviceRecord.Badge, row: Int64) { change(row, badge: badge) }
    func delete(row: Int64) { state.devices[row] = nil }
}

extension MemoryPeople: TopicRows {
    private func members(_ topic: String) -> [TopicMember] {
        let members = state.topics.values.first { $0.name.isExactly(topic) }?.topic.members ?? []
        return members.sorted().compactMap { inbox in
            state.inboxes[inbox].map { TopicMember(inbox: inbox, user: $0.user) }
        }
    }

    func members(of topic: String) -> [UserID] { members(topic).map(\.user) }

    func members(of topic: String, after inbox: Int64, limit: Int) -> [TopicMember] {
        Array(members(topic).filter { $0.inbox > inbox }.prefix(limit))
    }

    func row(of topic: String) -> (id: Int64, replacement: String?)? {
        state.topics.first { $0.value.name.isExactly(topic) }.map { ($0.key, $0.value.topic.replacement) }
    }

    func topics(ofInbox inbox: Int64) -> [(id: Int64, name: String)] {
        state.topics.filter { $0.value.topic.members.contains(inbox) }.map { ($0.key, $0.value.name) }
            .sorted { $0.name < $1.name }
    }

    func create(_ topic: String) -> Int64 {
        let id = (state.topics.keys.max() ?? 0) + 1
        state.topics[id] = (topic, .init())
        return id
    }

    func write(replacement: String, topic: Int64) { state.topics[topic]?.topic.replacement = replacement }
    func insert(inbox: Int64, into topic: Int64) -> Bool {
        state.topics[topic]?.topic.members.insert(inbox).inserted ?? false
    }
    func delete(inbox: Int64, from topic: Int64) -> Bool { state.topics[topic]?.topic.members.remove(inbox) != nil }
    func deleteIfEmpty(topic: Int64) {
        if state.topics[topic]?.topic.members.isEmpty ?? false { state.topics[topic] = nil }
    }
}
