import Deliveries
import Inbox
import Push

/// The queue of pushes, what devices show, and how many pushes people got.
final class MemoryPushes: MemoryPart, PushWalkRows {
    private typealias Job = MemoryState.Job

    private func place(of job: (key: PushJobNumber, value: MemoryState.Job)) -> PushTurns.Place {
        PushTurns.Place(position: job.value.place, number: job.key)
    }

    /// A device's jobs in the queue's order.
    private func jobs(device: Int64) -> [(key: PushJobNumber, value: MemoryState.Job)] {
        state.jobs.filter { $0.key.device == device }.sorted { $0.value.place < $1.value.place }
    }

    /// A provider's jobs in the queue's order.
    private func jobs(of provider: Device.Provider) -> [(key: PushJobNumber, value: MemoryState.Job)] {
        state.jobs.filter { $0.value.place.provider == provider.place }.sorted { $0.value.place < $1.value.place }
    }

    /// The place behind all others of its moment; a full moment continues in the next one.
    private func free(_ provider: Device.Provider, at due: Timestamp) -> QueuePlace {
        var first = QueuePlace.first(of: provider, at: due)
        while let last = state.jobs.values.map(\.place).filter({ $0 >= first && $0 <= first.lastOfMoment }).max() {
            if last < first.lastOfMoment { return last.next }
            first = last.next
        }
        return first
    }

    /// Changes the job at a place, if it is there.
    private func change(_ place: PushTurns.Place, _ body: (inout MemoryState.Job) -> Void) {
        guard var job = state.jobs[place.number], job.place == place.position else { return }
        body(&job)
        state.jobs[place.number] = job
    }

    private func change(_ device: Int64, _ notification: Int64, _ body: (inout MemoryState.Job) -> Void) {
        let number = PushJobNumber(device: device, notification: notification)
        if let job = state.jobs[number] { change(.init(position: job.place, number: number), body) }
    }

    private func devices(_ inbox: Int64) -> [Int64] {
        state.devices.values.filter { $0.inbox == inbox }.sorted {
            ($0.device.app, $0.device.id) < ($1.device.app, $1.device.id)
        }
        .map(\.row)
    }

    // MARK: Queueing

    func insert(_ job: NewPushJob, provider: Device.Provider) -> PushTurns.Place {
        let number = PushJobNumber(device: job.device, notification: job.notification)
        precondition(state.jobs[number] == nil)
        let place = free(provider, at: job.due)
        state.jobs[number] = Job(
            place: place, new: job, expiry: job.expiry, foldKey: job.foldKey, collapse: job.collapse, seq: job.seq,
            heldFrom: job.heldFrom, content: job.content, withdrawn: job.withdrawn)
        return PushTurns.Place(position: place, number: number)
    }

    func badges(device: Int64) -> [(place: Int64, withdrawn: [String])] {
        jobs(device: device).filter { $0.key.notification < 0 }.map { ($0.key.notification, $0.value.withdrawn) }
    }

    func write(withdrawn: [String], device: Int64, place: Int64) { change(device, place) { $0.withdrawn = withdrawn } }

    func clearContent(inbox: Int64, notification: Int64) {
        guard PushJobNumber.notifications.contains(notification) else { return }
        for device in devices(inbox) { change(device, notification) { $0.content = nil } }
    }

    func waits(inbox: Int64, notification: Int64) -> Bool {
        devices(inbox).contains { waits(device: $0, notification: notification) }
    }

    func move(device: Int64, from earlier: Device.Provider, to provider: Device.Provider) -> [PushTurns.Place] {
        jobs(device: device).map { move(place(of: $0), provider, to: $0.value.place.availableAt) }
    }

    // MARK: Handing out

    func due(at now: Timestamp, provider: Device.Provider, after place: QueuePlace?, limit: Int) -> [WalkedJob] {
        jobs(of: provider).filter { job in
            job.value.place <= .last(of: provider, at: now) && place.map { job.value.place > $0 } ?? true
        }.prefix(limit).map { WalkedJob(place: self.place(of: $0), row: nil) }
    }

    func leaveOut(_ place: PushTurns.Place) {}

    func row(_ place: PushTurns.Place) -> PushJobRow? {
        guard let job = state.jobs[place.number], job.place == place.position else { return nil }
        return PushJobRow(
            place: place, failures: job.failures, expiry: job.expiry, deadline: job.new.deadline,
            newContent: job.content, isDamaged: false, collapse: job.collapse, foldKey: job.foldKey, fold: job.fold,
            withdrawn: job.withdrawn, isShown: job.isShown, shownAs: job.shownAs)
    }

    func nextDue(after now: Timestamp, provider: Device.Provider) -> Timestamp? {
        jobs(of: provider).first { $0.value.place > .last(of: provider, at: now) }?.value.place.availableAt
    }

    func putOff(provider: Device.Provider) -> [Int64: [Int64]] {
        let failed = jobs(of: provider).filter { $0.value.failures > 0 && $0.value.heldFrom == nil }.map(\.key)
        return Dictionary(grouping: failed, by: \.device).mapValues { $0.map(\.notification) }
    }

    func waiting(provider: Device.Provider) -> [WaitingPush] {
        jobs(of: provider).map { job in
            WaitingPush(
                place: place(of: job), expiry: job.value.expiry, deadline: job.value.new.deadline,
                isDated: job.value.heldFrom != nil, isFallback: job.value.new.isFallback)
        }
    }

    // MARK: Settling

    func putOff(
        device: Int64, notification: Int64, _ provider: Device.Provider, to due: Timestamp, failures: Int
    ) -> PushTurns.Place? {
        let number = PushJobNumber(device: device, notification: notification)
        guard let job = state.jobs[number] else { return nil }
        let place = move(.init(position: job.place, number: number), provider, to: due)
        change(place) { ($0.failures, $0.heldFrom) = (failures, nil) }
        return place
    }

    func delete(device: Int64, notification: Int64, _ provider: Device.Provider) -> Bool {
        state.jobs.removeValue(forKey: PushJobNumber(device: device, notification: notification)) != nil
    }

    func delete(_ places: [PushTurns.Place], _ provider: Device.Provider) -> [Bool] {
        places.map { place in
            guard state.jobs[place.number]?.place == place.position else { return false }
            state.jobs[place.number] = nil
            return true
        }
    }

    func giveUp(device: Int64, notification: Int64, _ provider: Device.Provider) -> PushMark? {
        let number = PushJobNumber(device: device, notification: notification)
        guard let job = state.jobs.removeValue(forKey: number), job.isShown else { return nil }
        return PushMark(notification: notification, provider: provider, collapse: job.shownAs ?? job.collapse)
    }

    // MARK: Cancelling

    func deleteAcknowledged(inbox: Int64, upTo seq: Int64) -> [AcknowledgedPush] {
        let covered = devices(inbox).flatMap(jobs(device:)).filter { job in
            job.value.new.isFallback && (1...max(1, seq)).contains(job.key.notification) && job.value.seq ?? 0 <= seq
        }
        return covered.compactMap { number, job in
            guard let device = state.devices[number.device], seq > 0 else { return nil }
            state.jobs[number] = nil
            return AcknowledgedPush(
                provider: device.device.provider, device: number.device, notification: number.notification,
                isShown: job.isShown, place: job.shownAs ?? job.collapse)
        }
    }

    func rows(device: Int64, of notifications: Set<Int64>, from first: Int64, to last: Int64) -> [DroppedPush] {
        jobs(device: device).filter { notifications.contains($0.key.notification) }.map { number, job in
            DroppedPush(
                notification: number.notification, mayBeShown: job.failures > 0 || job.isShown, collapse: job.collapse,
                shownAs: job.shownAs)
        }.sorted { $0.notification < $1.notification }
    }

    func shown(device: Int64) -> [(notification: Int64, collapse: String?)] {
        jobs(device: device).filter(\.value.isShown).map {
            ($0.key.notification, $0.value.shownAs ?? $0.value.collapse)
        }
    }

    func deleteAll(device: Int64, _ provider: Device.Provider) -> Int {
        let jobs = jobs(device: device)
        for job in jobs { state.jobs[job.key] = nil }
        return jobs.count
    }
}

extension MemoryPushes: PushFoldRows, PushHoldRows, PushRenewalRows {
    func foldable(
        device: Int64, _ provider: Device.Provider, key: String, at now: Timestamp, withShown: Bool
    ) -> [FoldPart] {
        let due = jobs(device: device).filter { $0.value.place <= .last(of: provider, at: now) }
        return parts(due.filter { $0.value.fold == nil && (withShown || !$0.value.isShown) }, key: key)
    }

    func parts(device: Int64, key: String, fold: Int64) -> [FoldPart] {
        parts(jobs(device: device).filter { $0.value.fold == fold }, key: key)
    }

    private func parts(_ jobs: [(key: PushJobNumber, value: MemoryState.Job)], key: String) -> [FoldPart] {
        jobs.filter { $0.value.foldKey?.isExactly(key) ?? false }.sorted { $0.key < $1.key }.map { number, job in
            FoldPart(
                notification: number.notification, position: job.place, expiry: job.expiry, failures: job.failures,
                collapse: job.collapse, isShown: job.isShown, shownAs: job.shownAs)
        }
    }

    func pin(_ place: PushTurns.Place, to fold: Int64, collapse: String, shownAs: String?) {
        change(place) { ($0.fold, $0.collapse, $0.shownAs) = (fold, collapse, shownAs == collapse ? nil : shownAs) }
    }

    // MARK: Holding

    func held(device: Int64) -> [HeldPush] {
        jobs(device: device).sorted { $0.key < $1.key }.compactMap { job in
            job.value.heldFrom.map { HeldPush(place: place(of: job), from: $0) }
        }
    }

    func hold(
        _ place: PushTurns.Place, _ provider: Device.Provider, until end: Timestamp, expiry: Timestamp, foldKey: String?
    ) {
        change(place) { ($0.heldFrom, $0.foldKey) = ($0.heldFrom ?? place.availableAt, foldKey) }
        _ = shift(place, provider, to: (end, expiry))
    }

    func move(_ place: PushTurns.Place, _ provider: Device.Provider, to due: Timestamp) -> PushTurns.Place {
        let position = free(provider, at: due)
        change(place) { $0.place = position }
        return PushTurns.Place(position: position, number: place.number)
    }

    func shift(
        _ place: PushTurns.Place, _ provider: Device.Provider, to times: (due: Timestamp, expiry: Timestamp)
    ) -> PushTurns.Place {
        change(place) { $0.expiry = times.expiry }
        return move(place, provider, to: times.due)
    }

    // MARK: Growing

    func waits(device: Int64, notification: Int64) -> Bool {
        state.jobs[PushJobNumber(device: device, notification: notification)] != nil
    }

    func shownAs(device: Int64, notification: Int64) -> String? {
        state.jobs[PushJobNumber(device: device, notification: notification)]?.shownAs
    }

    func collapseIDs(device: Int64, except notification: Int64) -> [String] {
        jobs(device: device).filter { $0.key.notification != notification }
            .flatMap { [$0.value.collapse, $0.value.shownAs] }.compactMap(\.self)
    }

    func keep(device: Int64, _ name: NotificationID, after seq: Int64, collapse: String) -> Bool {
        let number = PushJobNumber(device: device, notification: name.sequence)
        guard let job = state.jobs[number], let known = job.seq, known > seq else { return false }
        let isSame = collapse == job.collapse ?? name.text
        change(device, name.sequence) { ($0.isShown, $0.shownAs) = (true, isSame ? nil : collapse) }
        return true
    }

    func grow(device: Int64, notification: Int64, to seq: Int64) { change(device, notification) { $0.seq = seq } }

    func insert(
        _ job: NewPushJob, _ provider: Device.Provider, collapse: String?, shownAs: String?
    ) -> PushTurns.Place {
        let place = insert(job, provider: provider)
        change(place) { ($0.isShown, $0.collapse, $0.shownAs, $0.content) = (true, collapse, shownAs, nil) }
        return place
    }
}

extension MemoryPushes: PushMarkRows, PushPaceRows {
    func marks(device: Int64) -> [PushMark] { state.marks[device] ?? [] }
    func add(_ marks: [PushMark], device: Int64) { state.marks[device, default: []] += marks }
    func add(_ marks: [(device: Int64, mark: PushMark)]) { for one in marks { add([one.mark], device: one.device) } }
    func write(_ marks: [PushMark], device: Int64) { state.marks[device] = marks }

    func pace(inbox: Int64, foldKey: String) -> PushPace? { state.paces[.init(inbox: inbox, foldKey: foldKey)] }
    func write(_ pace: PushPace, inbox: Int64, foldKey: String) {
        state.paces[.init(inbox: inbox, foldKey: foldKey)] = pace
    }
    func move(by span: Duration) {
        state.paces = state.paces.mapValues {
            PushPace(start: $0.start + span, count: $0.count, hasWaiting: $0.hasWaiting)
        }
    }
    func removeEnded(at now: Timestamp) { state.paces = state.paces.filter { $0.value.end > now } }
}
