import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `POST /v1/events`.
struct PublishRoutes {
    let node: Node
    let broadcaster: Broadcaster
    /// The app that the request names; nil if the events' types have to tell it.
    var app: AppName?
    var form = PublicationForm.own

    /// One event, or an array of events that are taken in together, all or none.
    ///
    /// - Parameter share: ended when the answer is given.
    func publishEvents(
        _ request: HTTPRequest, by caller: Publisher, _ share: PublishLoad.Share, _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        do throws(Problem) {
            let sent = try form.read(request.head, request.body)
            do throws(Problem) {
                try publish(sent, request.head, by: caller, share, reply, on)
            } catch {
                throw form.placed(error)
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    private func publish(
        _ sent: SentEvents, _ head: HTTPRequestHead, by caller: Publisher, _ share: PublishLoad.Share,
        _ reply: HTTPReply, _ on: borrowing OnShard
    ) throws(Problem) {
        let (began, now) = (on.now, node.now())
        let isDryRun = try DryRunRoute.isWanted(head.query)
        if sent.isEmptyBatch { return reply.send(.json(isDryRun ? 200 : 202) { $0.array { _ in } }, on) }
        let key = try IdempotencyKey.read(head)
        let json = try JSONBody.node(sent.body)
        let isArray = json.isArray
        if json.count > 1 {
            try IdempotencyKey.refuse(in: head, expecting: "each event of an array has a key of its own")
        }
        let entries: [Publication.Entry]
        let publisher: String
        do throws(Problem) {
            let app = try EventIntake.app(of: json, given: app, node)
            publisher = app.key(caller.name)
            try caller.take(max(1, isArray ? json.count : 1), at: now)
            entries = try intake(json, key, in: app, by: caller, at: now)
        } catch {
            guard !isDryRun, ![403, 429].contains(error.status) else { throw error }
            return refuse(json, key, error, by: caller, share, reply, on)
        }
        if isDryRun {
            return DryRunRoute(node: node, form: form).serve(entries, isArray: isArray, by: publisher, share, reply)
        }
        let span = node.tracer.flatMap { PublishSpan($0, sent.trace ?? head.headers, began: began) }
        span?.takesIn(entries)
        let publication = Publication(publisher: publisher, entries: entries, now: now)
        let exchange = PublishExchange(
            node: node, broadcaster: broadcaster, entries: entries, isArray: isArray, form: form, began: began,
            share: share, span: span, reply: reply)
        node.store.publish(publication) { exchange.stored($0) }
    }

    private func refuse(
        _ json: JSONNode, _ key: String?, _ problem: Problem, by caller: Publisher, _ share: PublishLoad.Share,
        _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        let isArray = json.isArray
        let refused = RefusedPublication(
            node: node, broadcaster: broadcaster, owners: owners(caller), problem: form.placed(problem),
            events: EventIntake.keyed(json, requestKey: key))
        let problem = refused.recall { result in
            switch result {
            case .success(let outcomes):
                reply.send(RefusedPublication.response(to: outcomes, isArray: isArray), ending: share)
            case .failure(let problem): reply.send(problem.response, ending: share)
            }
        }
        if let problem { reply.send(problem.response, on) }
    }

    /// The owners that keys of the caller's may have: where the request names no app, its events' types once told one.
    private func owners(_ caller: Publisher) -> [String] {
        (app.map { [$0] } ?? node.apps.candidates).map { $0.key(caller.name) }
    }

    private func intake(
        _ json: JSONNode, _ key: String?, in app: AppName, by caller: Publisher, at now: Timestamp
    ) throws(Problem) -> [Publication.Entry] {
        let intake = EventIntake(node: node, app: app, publisher: caller)
        guard let array = json.elements else { return [try intake.entry(json, at: now, key: key)] }
        guard !array.isEmpty else {
            throw Problem(status: 422, code: "invalid_value", detail: "expected at least one event")
        }
        var entries: [Publication.Entry] = []
        entries.reserveCapacity(array.count)
        // Their ids begin with the time, by which trails are sorted: each gets its own.
        for (index, element) in array.enumerated() {
            entries.append(try intake.entry(element, at: node.now(), index: index, key: key))
        }
        return entries
    }
}

extension Problem {
    /// A publication of one event has no indices to point at.
    init(_ error: StoreError, inArray: Bool) {
        self.init(error)
        if !inArray, case .keyReused = error { pointer = "/key" }
    }
}

extension Peer {
    /// The publisher is the user that the kernel names; idempotency keys belong to it.
    var publisher: String {
        guard let userID else { return "anonymous" }
        let prefix: StaticString = "uid:"
        // 15 bytes is the longest string that needs no memory of its own; each publish makes one.
        return String(unsafeUninitializedCapacity: 15) { room in
            let start = prefix.utf8CodeUnitCount
            _ = room.update(fromContentsOf: UnsafeBufferPointer(start: prefix.utf8Start, count: start))
            return start + DecimalDigits.write(Int64(userID), to: UnsafeMutableBufferPointer(rebasing: room[start...]))
        }
    }
}
