import Deliveries
import Inbox
import JSON
import Push
import Store
import Support

extension History {
    /// Something that somebody asks of the store.
    func write() throws -> Write {
        switch random.next(below: 50) {
        case 0..<11: try publish()
        case 11..<15: command()
        case 15..<17: acknowledge()
        case 17..<20: device()
        case 20..<24: lease()
        case 24..<29: settle()
        case 29: settings()
        case 30: topicEdit()
        case 31: broadcasts.isEmpty ? try publish() : page()
        case 32: retract()
        case 33: patch()
        case 34: erase()
        case 35: trim()
        case 36, 37: feedWrite()
        case 38: profile()
        case 40, 41: answer()
        case 42: endQuestions()
        case 43..<47: activity()
        case 47, 48: settleActivities()
        case 49: revoke()
        default: chance(4) ? jump() : sweep()
        }
    }

    // MARK: Events

    private func publish() throws -> Write {
        let now = now
        let entries = try (0..<(chance(5) ? 3 : 1)).map { _ in try entry(at: now) }
        let publication = Publication(publisher: publisher(), entries: entries, now: now)
        let keys = entries.compactMap { entry in
            entry.routed.event.key.map { EventKey($0, of: publication.publisher) }
        }
        return Write(name: "publish", keys: keys) { open in
            try PublishWriter(open: open, knownKeys: open.knownKeys).publish(publication)
        } then: { answer in
            guard case .success(let outcomes)? = answer as? Result<[PublishOutcome], StoreError> else { return }
            self.broadcasts += outcomes.filter { $0.broadcast != nil && !$0.isReplay }.map(\.event)
        }
    }

    private func entry(at now: Timestamp) throws -> Publication.Entry {
        let (room, actor) = (pick(Self.rooms), pick(Self.names))
        var people = Event.RecipientList(name: "people", users: users())
        if chance(4) { people.topics = [topic()] }
        if chance(30) { people.isEverybody = true }
        if chance(8), let user = people.users.first { people.own[user] = ["things": [.int(1), .int(2)]] }
        events += 1
        let things = (0...random.next(below: 2)).map { JSONValue.int(Int64($0)) }
        let post: JSONObject = [
            "id": .string("p\(random.next(below: 20))"), "by": .string(actor), "n": .int(Int64(events)),
            "tags": [.string(pick(["red", "blue"]))],
        ]
        let event = Event(
            app: app,
            type: pick([
                "said", "said", "liked", "added", "added", "drawn", "sketched", "rang", "gathered", "scored", "posted",
                "ordered", "moved", "delivered",
            ]),
            key: chance(2) ? "k\(random.next(below: 40))" : nil, actor: ["id": .string(actor)],
            to: [people, .init(name: "others", users: chance(3) ? users() : [])],
            data: [
                "text": .string("\(events)"), "room": .string(room), "things": .array(things), "post": .object(post),
            ],
            occurredAt: chance(5) ? now + .seconds(-Int64(random.next(below: 400))) : nil,
            notBefore: chance(9) ? now + .seconds(Int64(random.next(below: 900))) : nil,
            expiresAt: chance(9) ? now + .seconds(Int64(1 + random.next(below: 4_000))) : nil,
            urgency: chance(9) ? .urgent : nil, question: chance(5) ? question(at: now) : nil)
        return Publication.Entry(
            routed: try catalogs.route(event), id: "event-\(1_000_000 + events)",
            fingerprint: UInt64(random.next(below: 8) / 7))
    }

    private func question(at now: Timestamp) -> Question {
        let actions = ["yes", "no"].map { Question.Action(id: $0, label: $0.uppercased()) }
        guard chance(2) else { return Question(actions: actions) }
        let answerBy = now + .seconds(Int64(1 + random.next(below: 600)))
        return Question(actions: actions, answerBy: answerBy, fallback: chance(2) ? "no" : nil)
    }

    private func page() -> Write {
        let (event, now, catalogs) = (pick(broadcasts), now, catalogs)
        return Write(name: "page") { open in
            try BroadcastWriter(open: open).deliverPage(of: event, at: now) { event in
                do throws(EventProblem) { return .success(try catalogs.route(event)) } catch { return .failure(error) }
            } as Any
        } then: { answer in
            let isWorking = (answer as? Broadcast)?.state == .working
            if !isWorking { self.broadcasts.removeAll { $0 == event } }
        }
    }

    private func retract() -> Write {
        let (key, publisher, limit) = ("k\(random.next(below: 40))", publisher(), pick([1, 2, 500]))
        let (now, catalogs) = (now, catalogs)
        return Write(name: "retract") { open in
            try RetractWriter(open: open, catalogs: catalogs, now: now).step(key: key, by: publisher, limit: limit)
                as Any
        }
    }

    private func patch() -> Write {
        let patch = NotificationPatch(
            user: user(), type: pick(["SAID", "NOTED", "LIKED", "ADDED"]), actor: chance(2) ? pick(Self.names) : nil,
            key: chance(2) ? "k\(random.next(below: 40))" : nil, publisher: app.key("backend"),
            fields: ["live": .int(Int64(random.next(below: 3)))], now: now)
        return Write(name: "patch") { try PatchWriter(open: $0).write(patch) }
    }

    // MARK: People

    /// An answer to one of the person's notifications, whether it asks or not.
    private func answer() -> Write {
        let (user, now, place) = (user(), now, random.next(below: 20))
        let (action, way) = (pick(["yes", "no", "perhaps"]), pick(Answer.Way.allCases.filter { $0 != .expiry }))
        return Write(name: "answer") { open in
            let inbox = try open.knownInbox(of: user)
            let rows = try inbox.map { try open.notifications.upTo($0.state.seq, inbox: $0.id) } ?? []
            guard let inbox, !rows.isEmpty else { return AnswerOutcome.unknownNotification }
            let id = NotificationID(inbox: inbox.id, sequence: rows[place % rows.count].id)
            return try AnswerWriter(open: open, now: now).apply(
                GivenAnswer(user: user, notification: id, action: action, way: way, now: now))
        }
    }

    private func revoke() -> Write {
        let revocation = Revocation(user: user(), issuedBefore: now + .seconds(Int64(random.next(below: 60)) - 30))
        return Write(name: "revoke") { try $0.revoke(revocation) }
    }

    private func endQuestions() -> Write {
        let (now, limit) = (now, pick([1, 3, 500]))
        return Write(name: "end questions") { open in
            let due = try open.dueQuestions(limit, at: now)
            try AnswerWriter(open: open, now: now).settle(due)
            return (due, try open.rows.questions.nextDue(after: now)) as Any
        }
    }

    private func command() -> Write {
        let (user, now, kind, newest) = (user(), now, random.next(below: 8), chance(2))
        let (group, some) = (pick(["notes:attic", "likes:cellar", "sketches"]), UInt64(random.next(below: 1_000)))
        return Write(name: "command \(kind)") { open in
            let inbox = try open.knownInbox(of: user)
            let rows = try inbox.map { try open.notifications.upTo($0.state.seq, inbox: $0.id) } ?? []
            let chosen = rows.enumerated().filter { (some >> UInt64($0.offset % 10)) & 1 == 1 }.map(\.element)
            let ids = chosen.map { NotificationID(inbox: inbox?.id ?? 0, sequence: $0.id) }
            let seq = newest ? inbox?.state.seq ?? 0 : chosen.first?.seq ?? 0
            let command: InboxCommand =
                switch kind {
                case 0, 1: .read(.ids(ids))
                case 2: .read(.upTo(seq))
                case 3: .readGroup(group)
                case 4, 5: .seen(upTo: seq)
                case 6: .remove(.ids(ids))
                default: .remove(.upTo(chosen.last?.seq ?? 0))
                }
            return try CommandWriter(open: open, now: now).apply(command, for: user)
        }
    }

    private func acknowledge() -> Write {
        let (user, now, back) = (user(), now, Int64(random.next(below: 4)))
        return Write(name: "acknowledge") { open in
            let seq = try open.knownInbox(of: user)?.state.seq ?? 0
            try PushWriter(open: open).acknowledge(user, upTo: seq - back, at: now)
            return ()
        }
    }

    private func settings() -> Write {
        let (user, now) = (user(), now)
        let subject = ExactText("room:\(pick(Self.rooms))")
        let edit = ChannelEdit(
            inApp: pick([.keep, .set(false), .reset]), push: pick([.set(true), .set(false), .reset]))
        let from = random.next(below: 1_440)
        let change: SettingsChange =
            switch random.next(below: 7) {
            case 0: .mute(subject, until: chance(2) ? now + .seconds(900) : nil, known: SubjectKinds(["room"]))
            case 1: .unmute(subject)
            case 2: .snooze(until: chance(3) ? nil : now + .seconds(Int64(1 + random.next(below: 2_000))))
            case 3:
                .quietHours(
                    chance(3) ? nil : QuietHours(windows: [.init(days: .all, from: from, to: (from + 300) % 1_440)]))
            case 4: .preferences(PreferenceEdits(categories: [ExactText("talk"): edit]))
            default: .preferences(PreferenceEdits(types: [ExactText(pick(["SAID", "ADDED", "RANG", "DRAWN"])): edit]))
            }
        return Write(name: "settings") { try SettingsWriter(open: $0, now: now).apply(change, for: user) }
    }

    private func profile() -> Write {
        let (user, now) = (user(), now)
        let (locale, zone) = (pick(["de", "en-GB", nil]), pick(["Europe/Berlin", "Asia/Tokyo", nil]))
        var json: JSONObject = [:]
        if let locale { json["locale"] = .string(locale) }
        if let zone { json["zone"] = .string(zone) }
        let profile = UserProfile(locale: locale, zone: zone, json: json)
        return Write(name: "profile") { open in
            try UserWriter(open: open, now: now).write(profile, of: user)
            return ()
        }
    }

    private func topicEdit() -> Write {
        if let edit = edits.first {
            return Write(name: "topic goes on") { open in
                var edit = edit
                try TopicWriter(open: open).step(&edit, limit: 2)
                return edit
            } then: { answer in
                guard let edit = answer as? TopicEdit else { return }
                self.edits = edit.position == .ended ? Array(self.edits.dropFirst()) : self.edits.dropFirst() + [edit]
            }
        }
        events += 1
        let topic: String = topic()
        edits.append(
            chance(2)
                ? TopicEdit(of: topic, replacingWith: users(), as: "edit-\(events)")
                : TopicEdit(of: topic, adding: users(), removing: users()))
        return topicEdit()
    }

    private func erase() -> Write {
        if !chance(3) || !erasing.isEmpty {
            let limit = pick([3, 500])
            return Write(name: "erase goes on") { open in
                guard let inbox = try open.erasures.first() else { return ErasureReport() }
                var report = ErasureReport()
                let isUnfinished = try EraseWriter(open: open).step(inbox: inbox, limit: limit, &report)
                return (isUnfinished, report)
            } then: { _ in
                self.erasing = []
            }
        }
        let user = user()
        return Write(name: "erase") { open in
            var report = ErasureReport()
            let inbox = try EraseWriter(open: open).begin(user, &report)
            return (inbox, report)
        } then: { _ in
            self.erasing = [0]
        }
    }

    private func trim() -> Write {
        let (user, now, limit) = (user(), now, pick([2, 500]))
        let time = chance(2) ? now + .seconds(-20_000) : nil
        return Write(name: "trim") { try TrimWriter(open: $0, now: now).trim(user, olderThan: time, limit: limit) }
    }

    private func sweep() -> Write {
        let now = now
        return Write(name: "sweep") { try $0.sweep(at: now) }
    }

    private func jump() -> Write {
        let span = Duration.seconds(Int64(random.next(below: 2_000)) - 1_000)
        let jump = ClockJump(span: span, cause: chance(2) ? .set : .sleep, now: now, reading: nil)
        return Write(name: "jump") { open in
            try QueueMove(open: open, jump: jump).move()
            return ()
        }
    }

    // MARK: Devices and pushes

    private func device() -> Write {
        let (user, now, id) = (user(), now, "phone-\(random.next(below: 3))")
        let app = chance(4) ? "tests" : ""
        switch random.next(below: 8) {
        case 0: return Write(name: "unregister") { try DeviceWriter(open: $0).unregister(id: id, app: app, of: user) }
        case 1:
            return Write(name: "forget") {
                try DeviceWriter(open: $0).forget(lastSeenBefore: now + .seconds(-90_000), limit: 2)
            }
        default: break
        }
        let token = chance(6) ? "\(pick(Self.names))-\(id)" : "\(user.name)-\(id)\(app)\(chance(8) ? "-new" : "")"
        var device = Device(
            id: id, app: app, provider: pick(Self.providers), token: token, locale: pick(["de", "en", nil]),
            zone: pick(["Europe/Paris", nil]), permission: chance(8) ? .denied : nil, registeredAt: now)
        if chance(8) { device.token = Device.awaitedToken(ofDevice: id, app: app, of: user) }
        if chance(4) { (device.scope, device.expiresAt) = ("https://app.example/", now + .seconds(3_600)) }
        device.registrar = pick([.person, .person, .backend, .anybody])
        return Write(name: "register") { [device] in try DeviceWriter(open: $0).register(device, for: user) }
    }

    private func lease() -> Write {
        let (provider, now, limit) = (pick(Self.providers), now, 1 + random.next(below: 5))
        let span = Duration.seconds(Int64(pick([1, 30, 3_000])))
        return Write(name: "lease") { open in
            let now = open.present(now)
            return try PushLeasing(open: open, provider: provider, now: now, end: now + span).lease(limit)
        } then: { answer in
            self.leased += (answer as? LeasedPushJobs)?.jobs ?? []
        }
    }

    private func settle() -> Write {
        let jobs = leased.filter { _ in !chance(3) }
        leased.removeAll { job in jobs.contains { $0 === job } }
        let now = now
        let outcomes = jobs.map { outcome(of: $0, at: now) }
        return Write(name: "settle") { open in
            try PushSettling(open: open, now: open.present(now)).settle(outcomes)
            return ()
        }
    }

    private func outcome(of job: PushJob, at now: Timestamp) -> PushOutcome {
        var attempt = job.attempt
        let verdict: Verdict
        switch random.next(below: 12) {
        case 0: verdict = .deviceGone(since: chance(2) ? now : nil)
        case 1: verdict = .refused(reason: "no")
        case 2, 3: verdict = .busy(retryAfter: chance(2) ? .seconds(5) : nil, scope: .device)
        case 4: return PushOutcome(job: job, action: .retry(at: now), attempt: attempt)
        default: verdict = .accepted
        }
        let action = attempt.settle(verdict, at: now, jitter: 0.5, device: job.device)
        return PushOutcome(job: job, action: action, attempt: attempt)
    }

    // MARK: Feeds

    private func feedWrite() -> Write {
        events += 1
        let (user, now, id) = (user(), now, chance(5) ? nil : "p\(random.next(below: 20))")
        let name: String = feed()
        let tags = ["red", "blue"].filter { _ in chance(2) }
        let item = FeedItem(
            feed: name, json: Array("\(chance(4) ? 0 : events)".utf8), publishedAt: now, id: id,
            author: pick(["ada", "bob", "a@x", "A@X", nil]), tags: tags)
        let publication = FeedPublication(feed: name, items: [item], length: 12, now: now)
        let place: FeedMark.Place =
            pick([.head, .time(now + .seconds(-400)), .position(FeedPosition(epoch: "other", offset: 3))])
        switch random.next(below: 6) {
        case 0: return Write(name: "replace") { try FeedWriter(open: $0).replace(publication) as Any }
        case 1: return Write(name: "remove") { try FeedWriter(open: $0).remove(id ?? "p1", from: publication) as Any }
        case 2: return Write(name: "view") { try FeedWriter(open: $0).markViewed(name, upTo: place, by: user) }
        default: return Write(name: "append") { try FeedWriter(open: $0).append(publication) }
        }
    }
}
