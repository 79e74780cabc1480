import Deliveries
import Inbox
import Push

final class MemoryActivities: MemoryPart, ActivityRows {
    func device(_ row: Int64) -> ActivityDevice? { state.activityDevices[row] }
    func write(_ device: ActivityDevice, row: Int64) { state.activityDevices[row] = device }

    func activity(_ place: ActivityPlace) -> DeviceActivity? { state.activities[place]?.activity }

    func activities(device: Int64) -> [(key: String, activity: DeviceActivity)] {
        state.activities.filter { $0.key.device == device }.map { ($0.key.key, $0.value.activity) }
            .sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
    }

    func write(_ activity: DeviceActivity, at place: ActivityPlace, inbox: Int64, _ provider: Device.Provider) {
        state.activities[place] = MemoryState.StoredActivity(activity: activity, inbox: inbox, provider: provider)
    }

    func delete(_ place: ActivityPlace) { state.activities[place] = nil }

    func delete(device: Int64) {
        state.activities = state.activities.filter { $0.key.device != device }
        state.activityDevices[device] = nil
    }

    func delete(_ limit: Int, endedBefore time: Timestamp) {
        let over = state.activities.filter { $0.value.activity.end < time }
            .sorted { $0.value.activity.end < $1.value.activity.end }
        for (place, _) in over.prefix(limit) { state.activities[place] = nil }
    }

    private func waiting(_ provider: Device.Provider) -> [(due: Timestamp, activity: DueActivity)] {
        state.activities.compactMap { place, stored in
            guard stored.provider == provider, let due = stored.activity.due else { return nil }
            return (due, DueActivity(place: place, inbox: stored.inbox))
        }.sorted { one, other in
            (one.due, one.activity.place.device, one.activity.place.key)
                < (other.due, other.activity.place.device, other.activity.place.key)
        }
    }

    func due(_ limit: Int, for provider: Device.Provider, at now: Timestamp) -> [DueActivity] {
        waiting(provider).filter { $0.due <= now }.prefix(limit).map(\.activity)
    }

    func nextDue(for provider: Device.Provider) -> Timestamp? { waiting(provider).first?.due }

    func endLeases(at now: Timestamp) {
        change { if $0.isSending { $0.moved(to: now) } else { $0 } }
    }

    func move(by span: Duration) { change { activity in activity.moved(to: activity.due.map { $0 + span }) } }

    private func change(_ body: (DeviceActivity) -> DeviceActivity) {
        for (place, stored) in state.activities {
            state.activities[place] = MemoryState.StoredActivity(
                activity: body(stored.activity), inbox: stored.inbox, provider: stored.provider)
        }
    }
}

extension DeviceActivity {
    /// The same, as its row would be read with another due time.
    fileprivate func moved(to due: Timestamp?) -> DeviceActivity { DeviceActivity(json: json, due: due) ?? self }
}
