import Deliveries
import Inbox
import Push
import Store

extension MemoryPeople: UserReads {
    private func inbox(of user: UserID) -> (id: Int64, inbox: MemoryState.Inbox)? {
        state.inboxes.first { $0.value.user == user }.map { ($0.key, $0.value) }
    }

    func isKnown(_ user: UserID) -> Bool { inbox(of: user) != nil }

    func profile(of user: UserID) -> UserProfile? {
        inbox(of: user).flatMap { $0.inbox.hasProfile ? $0.inbox.person?.profile : nil }
    }

    func user(withEmail email: String, in app: AppName) -> UserID? {
        let wanted = UserProfile.searchForm(ofEmail: email)
        return state.inboxes.sorted { $0.key < $1.key }.first { _, inbox in
            inbox.user.app == app && inbox.person?.profile.email.map(UserProfile.searchForm(ofEmail:)) == wanted
        }?.value.user
    }

    func settings(of user: UserID) -> UserSettings { inbox(of: user)?.inbox.person?.settings ?? UserSettings() }

    func facts(of user: UserID) -> PersonFacts {
        let person = inbox(of: user)?.inbox.person
        return PersonFacts(
            settings: person?.settings ?? UserSettings(), profile: person?.profile.reader ?? Reader(),
            device: person?.device ?? Reader())
    }
}

extension MemoryPeople: RevocationRows {
    func revocations() -> [Revocation] {
        state.revocations.map { Revocation(user: $0.key, issuedBefore: $0.value) }
    }

    func insert(_ revocation: Revocation) {
        let known = state.revocations[revocation.user] ?? revocation.issuedBefore
        state.revocations[revocation.user] = max(known, revocation.issuedBefore)
    }

    func remove(_ user: UserID) -> Bool { state.revocations.removeValue(forKey: user) != nil }
}

extension MemoryPeople: DeviceReads {
    func devices(of user: UserID) -> [Device] {
        let own = state.devices.values.filter { state.inboxes[$0.inbox]?.user == user }
        return own.sorted { ($1.device.lastSeenAt, $1.row) < ($0.device.lastSeenAt, $0.row) }.map { record in
            var device = record.device
            device.badge = record.badge?.number
            return device
        }
    }

    func installation(ofDevice id: String, app: String, of user: UserID?, in space: AppName) -> Installation? {
        let meant = state.devices.values.filter { record in
            record.device.id.isExactly(id)
                && (app.isEmpty || record.device.app.isEmpty || record.device.app.isExactly(app))
                && state.inboxes[record.inbox]?.user.app == space
                && (user == nil || state.inboxes[record.inbox]?.user == user)
        }
        func rank(_ record: DeviceRecord) -> (Int, Int, Int64, Int64) {
            let isPersons = user == nil && record.device.registrar == .person
            return (
                isPersons ? 1 : 0, record.device.app.isExactly(app) ? 0 : 1, -record.device.lastSeenAt.milliseconds,
                -record.row
            )
        }
        return meant.min { rank($0) < rank($1) }.flatMap { record in
            state.inboxes[record.inbox].map { Installation(user: $0.user, app: record.device.app) }
        }
    }

    func device(of provider: Device.Provider, token: String, in space: AppName) -> OwnedDevice? {
        state.devices.values.lazy.compactMap { record in
            guard record.device.provider == provider, record.device.token.isExactly(token),
                let user = self.state.inboxes[record.inbox]?.user, user.app == space
            else { return nil }
            return OwnedDevice(user: user, device: record.device)
        }.first
    }
}

extension MemoryPeople: TopicReads {
    func page(of topic: String, after user: UserID?, limit: Int) -> TopicPage? {
        guard row(of: topic) != nil else { return nil }
        let after = user.flatMap(inbox(of:))?.id ?? 0
        let rest = members(of: topic, after: after, limit: .max)
        return TopicPage(
            members: rest.prefix(limit).map(\.user), count: members(of: topic).count, hasMore: rest.count > limit)
    }

    func topics(of user: UserID) -> [String] { inbox(of: user).map { topics(ofInbox: $0.id).map(\.name) } ?? [] }
    func isMember(_ user: UserID, of topic: String) -> Bool { members(of: topic).contains(user) }
}
