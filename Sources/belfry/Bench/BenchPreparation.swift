import ArgumentParser
import Bench
import Foundation
import Inbox

/// Makes the plan of a run from a command's options, and runs it.
struct BenchPreparation {
    private let options: BenchRunOptions
    private let raw: BenchRawOptions?
    let target: BenchTarget
    var plan: BenchPlan
    private var processes = 1
    private(set) var credential: Credential?
    var metrics: PushCounter?

    /// A run without sessions.
    init(_ name: String, _ options: BenchRunOptions) throws {
        self.options = options
        raw = nil
        target = try BenchTarget(options)
        plan = BenchPlan(name: name, duration: options.duration)
        plan.serverPID = options.serverPid ?? target.process
        note("duration", "\(options.duration)")
        if let app = options.app { note("app", app.text) }
    }

    /// - Parameters:
    ///   - feed: the feed that the sessions subscribe to; nil for none.
    ///   - confirmsAcks: see ``SessionPlan``.
    init(
        _ name: String, _ options: BenchRunOptions, _ sessions: BenchSessionOptions, _ raw: BenchRawOptions? = nil,
        feed: String? = nil, confirmsAcks: Bool = false
    ) throws {
        self.options = options
        self.raw = raw
        target = try BenchTarget(options)
        plan = BenchPlan(name: name, duration: options.duration)
        let found = raw?.raw == true ? nil : try target.process(at: sessions.server.url)
        plan.serverPID = options.serverPid ?? found
        processes = sessions.processes
        if let raw, raw.raw {
            plan.sessions = try target.sessions(sessions, raw: raw)
            if sessions.server.secretFile != nil {
                credential = try target.credential(secretFile: sessions.server.secretFile)
            } else if plan.sessions?.needsTokens == true {
                throw ValidationError("{{token}} needs the secret that signs it (--secret-file)")
            }
        } else {
            plan.sessions = try target.sessions(sessions, feed: feed, confirmsAcks: confirmsAcks)
            credential = try target.credential(secretFile: sessions.server.secretFile)
        }
        // The query is left out, because it may hold a token.
        note("url", String(sessions.server.url.prefix { $0 != "?" }))
        note("duration", "\(options.duration)")
        if let app = options.app { note("app", app.text) }
        note("sessions", "\(sessions.sessions)")
        note("ramp", sessions.ramp > 0 ? "\(sessions.ramp)/s" : "at once")
        note("processes", "\(sessions.processes)")
        note("shards", "\(sessions.shards)")
        if let feed { note("feed", feed) }
        if confirmsAcks { note("acknowledgements", "each asks for an answer") }
    }

    /// Loads the credential for tokens that a run needs before it begins.
    mutating func needTokens(secretFile: String?) throws { credential = try target.credential(secretFile: secretFile) }

    mutating func note(_ name: String, _ value: String) { plan.parameters.append(.init(name, value)) }

    // MARK: Streams

    /// Publications to all subscribers: a feed's items, or those of the raw options.
    mutating func fanOut(feed: String, rate: Double?, inFlight: Int?, publishers: Int, size: Int) throws {
        try add(
            "feed", .everybody, try rawCarrier() ?? target.items(feed: feed), rate: rate, inFlight: inFlight,
            publishers: publishers, size: size)
    }

    /// Events for one online user each.
    mutating func unicast(_ event: BenchEventOptions, rate: Double?, publishers: Int) throws {
        let count = plan.sessions?.indices.count ?? 1
        try add(
            "unicast", .oneOf(count, isOnline: true), try rawCarrier() ?? target.events(event.template), rate: rate,
            publishers: publishers, size: event.size)
    }

    /// Events for users without a session.
    /// - Parameter underway: streams lines, with this number waiting for an answer; nil for one request each.
    mutating func offline(
        _ name: String, _ event: BenchEventOptions, users: Int, rate: Double?, publishers: Int, underway: Int? = nil
    ) throws {
        try add(
            name, .inTurn(users), try target.events(event.template, underway: underway), rate: rate,
            publishers: publishers, size: event.size, prefix: options.userPrefix + "offline-")
    }

    private func rawCarrier() throws -> PublishPlan.Carrier? {
        guard let raw, raw.raw, let sessions = plan.sessions else { return nil }
        return try raw.carrier(session: sessions)
    }

    private mutating func add(
        _ name: String, _ audience: PublishPlan.Audience, _ carrier: PublishPlan.Carrier, rate: Double?,
        inFlight: Int? = nil, publishers: Int, size: Int, prefix: String? = nil
    ) throws {
        var stream = PublishPlan(
            name: name, audience: audience, carrier: carrier, userPrefix: prefix ?? options.userPrefix)
        stream.rate = rate
        stream.inFlight = inFlight
        stream.publishers = publishers
        stream.payloadBytes = size
        plan.streams.append(stream)
        note("\(name): rate", rate.map { "\($0)/s" } ?? "as fast as it goes")
        note("\(name): publishers", "\(publishers)")
        note("\(name): payload", "\(size) B")
        if let inFlight { note("\(name): in flight", "\(inFlight)") }
    }

    // MARK: Running

    func run() async throws {
        if !plan.streams.isEmpty, raw?.raw != true { try await target.checkSocket() }
        var execution = BenchExecution(options: options)
        execution.processes = processes
        execution.credential = credential
        execution.metrics = metrics
        try await execution.run(plan)
    }

    /// Runs `body`, and prints failures that people can fix.
    static func reporting(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as BenchFailure {
            Terminal.complain(page: failure.description)
            throw ExitCode.failure
        }
    }
}
