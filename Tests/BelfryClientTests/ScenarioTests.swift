import Foundation
import Testing

@testable import BelfryClient

struct ScenarioTests {
    @Test func `there are scenarios`() { #expect(Scenario.all.count >= 28) }

    @Test(arguments: Scenario.all)
    func `it passes the scenario that every client must pass`(_ scenario: Scenario) throws {
        let run = ScenarioRun(scenario)
        try run.run()
    }
}

/// Runs one scenario against a core.
private final class ScenarioRun {
    private static let steps = [
        "socket", "server", "answer", "http", "advance", "clock", "freeze", "look", "online", "chance", "call", "loop",
        "expect",
    ]

    private let scenario: Scenario
    private let world: World
    /// The number of each call by the name that the scenario gives it.
    private var calls: [String: Int] = [:]
    /// The ids of the newest frames of each type.
    private var ids: [String: JSONValue] = [:]

    init(_ scenario: Scenario) {
        self.scenario = scenario
        let options = scenario.value["options"]
        world = World(
            tokens: options?["tokens"]?.array ?? ["token-1"], isLooking: options?["attention"]?.bool ?? true)
    }

    func run() throws {
        let steps = try #require(scenario.value["steps"]?.array)
        try run(steps, round: 0)
        world.run { core, _ in core.stop(.closed) }
    }

    private func run(_ steps: [JSONValue], round: Int64) throws {
        for (number, step) in steps.enumerated() {
            do {
                try take(Scenario.expand(step, round: round))
            } catch let mismatch as Mismatch {
                throw Mismatch(description: "step \(number) \(step.text.prefix(160)): \(mismatch)")
            }
        }
    }

    private func take(_ step: JSONValue) throws {
        let name = try #require(Self.steps.first { step[$0] != nil })
        let value = step[name] ?? .null
        for frame in world.sent { if let id = frame.members["id"] { ids[frame.type] = id } }
        switch name {
        case "loop":
            let steps = try #require(scenario.value["loops"]?[value["steps"]?.string ?? ""]?.array)
            for round in 0..<(value["times"]?.integer ?? 0) { try run(steps, round: round) }
        case "socket":
            guard world.isConnected else { throw Mismatch(description: "there is no socket") }
            if value == "open" { world.open() } else { world.close(value["close"]?.integer.map(Int.init)) }
        case "server":
            guard world.isConnected else { throw Mismatch(description: "there is no socket") }
            world.server(value)
        case "answer":
            let type = step["to"]?.string ?? ""
            guard let id = ids[type], var frame = value.object else {
                throw Mismatch(description: "no \(type) with an id was sent")
            }
            frame["id"] = id
            world.server(.object(frame))
        case "http": try answer(value)
        case "advance": world.advance(value.integer ?? 0)
        case "clock": world.offset += value.integer ?? 0
        case "freeze": world.freeze(value.integer ?? 0)
        case "look": world.run { $0.look(value.bool ?? true, $1) }
        case "online": world.run { $0.wake($1) }
        case "chance": world.chance = value.number ?? 0.5
        case "call": try call(value.string ?? "", step["args"]?.array ?? [], as: step["as"]?.string)
        default: try expect(value)
        }
    }

    private func answer(_ value: JSONValue) throws {
        guard let request = world.requests.first else { throw Mismatch(description: "there is no request") }
        let made: JSONValue = [
            "method": .string(request.call.method), "path": .string(request.call.path),
            "body": request.call.body ?? .null,
        ]
        try Mismatch.check(made, against: value["request"] ?? [:], at: "request")
        if value["fails"]?.bool == true { return world.failRequest() }
        world.answer(value["status"]?.integer.map(Int.init) ?? 200, value["body"] ?? .null)
    }

    private func call(_ name: String, _ arguments: [JSONValue], as label: String?) throws {
        let ids = arguments.first?.array?.compactMap(\.string)
        let upTo = arguments.first?["upTo"]?.integer
        calls[label ?? name] = world.call { core, call, moment in
            switch (name, ids) {
            case ("read", let ids?): core.command(.read, ids: ids, call: call, moment)
            case ("read", nil): core.command(.read, upTo: upTo, call: call, moment)
            case ("seen", _): core.command(.seen, upTo: nil, call: call, moment)
            case ("remove", let ids?): core.command(.remove, ids: ids, call: call, moment)
            case ("more", _): core.more(call: call, moment)
            case ("close", _): core.stop(.closed)
            default: []
            }
        }
        let known = ["read", "seen", "remove", "more", "close"]
        if !known.contains(name) { throw Mismatch(description: "no such call: \(name)") }
    }

    private func expect(_ value: JSONValue) throws {
        for (member, pattern) in value.object ?? [:] {
            let actual: JSONValue
            switch member {
            case "sent":
                actual = .array(world.sent.map(\.value))
                world.sent = []
            case "events":
                actual = .array(world.events)
                world.events = []
            case "tokens":
                actual = .array(world.reasons.map(JSONValue.string))
                world.reasons = []
            case "snapshot": actual = Self.value(of: world.snapshot)
            case "sockets": actual = .integer(Int64(world.sockets))
            case "requests": actual = .integer(Int64(world.requests.count))
            case "results": actual = .object(calls.mapValues(result))
            case "wait":
                let retryAt = Self.value(of: world.snapshot)["retryAt"]?.integer
                actual = retryAt.map { .integer($0 - world.now) } ?? .null
            default: throw Mismatch(description: "no such expectation: \(member)")
            }
            try Mismatch.check(actual, against: pattern, at: member)
        }
    }

    private func result(of call: Int) -> JSONValue {
        switch world.results[call] {
        case nil: "pending"
        case .success: "done"
        case .failure(let error): ["code": .string(error.code), "temporary": .bool(error.isTemporary)]
        }
    }

    private static func value(of snapshot: InboxSnapshot) -> JSONValue {
        var members: [String: JSONValue] = [
            "status": .string(snapshot.status.word), "synced": .bool(snapshot.isSynced),
            "unread": .integer(Int64(snapshot.unread)), "unseen": .integer(Int64(snapshot.unseen)),
            "more": .bool(snapshot.hasMore),
            "items": .array(
                snapshot.items.map { row in
                    .object(row.members.merging(["isRead": .bool(row.isRead), "isSeen": .bool(row.isSeen)]) { $1 })
                }),
        ]
        switch snapshot.status {
        case .connecting, .live: break
        case .waiting(let retryAt):
            members["retryAt"] = .integer(Int64((retryAt.timeIntervalSince1970 * 1_000).rounded()))
        case .stopped(let reason): members["reason"] = .string(reason.rawValue)
        }
        return .object(members)
    }
}
