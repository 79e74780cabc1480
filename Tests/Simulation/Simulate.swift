import ArgumentParser
import Foundation

/// Runs Belfry in simulated time with faults, and checks what it promises.
@main
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Runs Belfry in simulated time with faults, and checks its promises.",
        discussion: """
            Each seed is one run: people with apps, a backend, a push service, and a node whose disk, network and \
            process fail. The same seed does the same again. Every promise is checked at each step, and once more \
            after everything had time to come right.
            """)

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    @Option(help: "How many seeds, one after the other.")
    var runs = 1

    @Option(help: "Goes on with further seeds until so many events have happened, in place of --runs.")
    var events: Int?

    @Option(help: "How many actions each run has.")
    var actions = 300

    @Option(help: "Plants a mistake, which has to be found: \(Mistake.names).")
    var mistake: Mistake?

    @Flag(help: "Plants each mistake, one after the other.")
    var mistakes = false

    @Option(help: "A kind of fault to leave out: \(Faults.Kind.names). May be repeated.")
    var without: [Faults.Kind] = []

    @Flag(help: "Prints each run.")
    var verbose = false

    @Flag(help: "Prints everything that happens.")
    var trace = false

    func validate() throws {
        if runs < 1 || actions < 1 || events.map({ $0 < 1 }) == true {
            throw ValidationError("--runs, --actions and --events are numbers from 1 on")
        }
    }

    @MainActor
    func run() async throws {
        try restartWithFixedHashes()
        let parts = try await Parts()
        if mistakes {
            for mistake in Mistake.allCases { try search(parts, for: mistake) }
        } else if let mistake {
            try search(parts, for: mistake)
        } else {
            try simulate(parts)
        }
    }

    @MainActor
    private func live(
        _ seed: UInt64, _ parts: Parts, _ mistake: Mistake? = nil, without off: Set<Faults.Kind>, actions: Int
    ) throws -> World {
        let world = try World(seed: seed, parts, mistake: mistake, without: off, isTold: trace)
        defer { world.end() }
        guard world.mayShowMistake else { return world }
        while world.actions < actions, world.ledger.faults.isEmpty { try world.act() }
        if world.ledger.faults.isEmpty { try world.settle() }
        return world
    }

    /// - Throws: ``ExitCode`` if a promise was broken, or something rare has never happened.
    @MainActor
    private func simulate(_ parts: Parts) throws {
        var (total, done) = (0, 0)
        var sometimes: [String: Int] = [:]
        while events.map({ total < $0 }) ?? (done < runs) {
            let seed = seed + UInt64(done)
            let world = try live(seed, parts, without: Set(without), actions: actions)
            done += 1
            total += world.timeline.eventCount
            sometimes.merge(world.ledger.sometimes) { $0 + $1 }
            if verbose {
                print("seed \(seed): \(world.timeline.eventCount) events with \(world.story)")
            }
            guard let fault = world.ledger.faults.first else { continue }
            print("seed \(seed) after \(world.actions) actions: \(fault)")
            for other in world.ledger.faults.dropFirst() { print("  then \(other)") }
            try shrink(seed, world, parts, nil)
            throw ExitCode(1)
        }
        print("\(total) events in \(done) runs: no promise was broken")
        for (name, count) in sometimes.sorted(by: { $0.key < $1.key }) { print("  \(count) × \(name)") }
        let missing = Ledger.Rarity.allCases.filter { sometimes[$0.rawValue] == nil }
        guard events != nil, !missing.isEmpty else { return }
        print("never: \(missing.map(\.rawValue).joined(separator: ", "))")
        throw ExitCode(1)
    }

    /// Looks for fewer faults and fewer actions with which the seed still breaks a promise, and tells how to see that.
    @MainActor
    private func shrink(_ seed: UInt64, _ world: World, _ parts: Parts, _ mistake: Mistake?) throws {
        var (off, count) = (Set(without), world.actions)
        guard !trace else { return }
        for kind in Faults.Kind.allCases where !off.contains(kind) {
            let smaller = try live(seed, parts, mistake, without: off.union([kind]), actions: count)
            if !smaller.ledger.faults.isEmpty { (off, count) = (off.union([kind]), smaller.actions) }
        }
        while count > 1 {
            let smaller = try live(seed, parts, mistake, without: off, actions: count * 3 / 4)
            if smaller.ledger.faults.isEmpty { break }
            count = smaller.actions
        }
        let others = off.map(\.rawValue).sorted().map { " --without \($0)" }.joined()
        let planted = mistake.map { " --mistake \($0.rawValue)" } ?? ""
        print("see it again: simulate --seed \(seed) --actions \(count)\(others)\(planted) --trace")
    }

    /// - Throws: ``ExitCode`` if the mistake is not found.
    @MainActor
    private func search(_ parts: Parts, for mistake: Mistake) throws {
        var total = 0
        for number in 0..<400 {
            let world = try live(
                seed + UInt64(number), parts, mistake, without: Set(without), actions: actions)
            total += world.timeline.eventCount
            guard let fault = world.ledger.faults.first else { continue }
            print("\(mistake.rawValue): found after \(total) events: \(fault)")
            return verbose ? try shrink(seed + UInt64(number), world, parts, mistake) : ()
        }
        print("\(mistake.rawValue): not found in \(total) events")
        throw ExitCode(1)
    }

    /// Swift's hashes differ between processes, and with them the order of dictionaries. Runs repeat only without that.
    private func restartWithFixedHashes() throws {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard ProcessInfo.processInfo.environment[name] == nil else { return }
        setenv(name, "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv("/proc/self/exe", &arguments)
        throw ValidationError("the program cannot start itself again")
    }
}

extension Faults.Kind: ExpressibleByArgument {
    fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Mistake: ExpressibleByArgument {
    fileprivate static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
