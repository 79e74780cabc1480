import Foundation
import Postgres
import Testing

@testable import Gateway

@Suite struct `Settings of a store` {
    private func read(_ yaml: String, environment: [String: String] = [:]) throws(InvalidSettings) -> Settings {
        var reader = SettingsReader()
        reader.read(yaml: yaml, file: "belfry.yaml")
        reader.read(environment: environment)
        return try reader.finish()
    }

    private func problems(_ yaml: String, environment: [String: String] = [:]) -> [String] {
        do {
            _ = try read(yaml, environment: environment)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(arguments: [
        "store: postgres://belfry@db/belfry", "store:\n  url: postgres://belfry@db/belfry\n  commitInterval: 4ms",
        "store: {url: postgresql://belfry@db/belfry}",
    ])
    func `lead to PostgreSQL by a URL alone, or as a group`(_ yaml: String) throws {
        #expect(try read(yaml).store.address()?.description == "postgres://belfry@db/belfry")
    }

    @Test(arguments: ["", "store:", "store: {commitInterval: 4ms}"])
    func `lead to the data folder without a URL`(_ yaml: String) throws {
        #expect(try read(yaml).store.address() == nil)
    }

    @Test(arguments: ["BELFRY_STORE", "BELFRY_STORE_URL"])
    func `come from the environment, too`(_ variable: String) throws {
        let settings = try read("", environment: [variable: "postgres://belfry@db:5433/belfry"])
        #expect(try settings.store.address()?.description == "postgres://belfry@db:5433/belfry")
        #expect(SettingsReader.misspelt(in: [variable: "postgres://db/belfry"]).isEmpty)
    }

    @Test(arguments: [
        ("store: ./data/belfry.sqlite", "begins with postgres://"),
        ("store: postgres://u:secret-1@3@db/belfry", "%40"),
        ("store: postgres://db/belfry?sslmod=require&password=secret-1", "libpq"),
        ("store: postgres://db/belfry?target_session_attrs=any", "target_session_attrs"),
    ])
    func `tell what was expected of a URL, and never quote it`(_ yaml: String, _ hint: String) throws {
        let told = problems(yaml)
        #expect(told.count == 1)
        #expect(told[0].hasPrefix("belfry.yaml:1: store.url: expected postgres://"))
        #expect(told[0].contains(hint))
        #expect(!told[0].contains("secret-1"))
    }

    @Test func `keep the URL's password out of every print`() throws {
        let settings = try read("store: postgres://belfry:secret-1@db/belfry")
        #expect(!"\(settings)".contains("secret-1"))
        #expect(!settings.redactedDescription.contains("secret-1"))
        #expect(settings.redactedDescription.contains("store.url: <secret>"))
    }

    @Test func `take one password at most, and none without a database`() {
        let both = problems("store: {url: 'postgres://u:p@db/belfry', passwordFile: /p}")
        #expect(both.count == 1 && both[0].contains("store.passwordFile: expected a password in either"))
        let none = problems("store: {passwordFile: /p}")
        #expect(none.count == 1 && none[0].contains("needs store.url"))
    }

    @Test func `name the node, or leave it to the machine`() throws {
        let named = try read("node: eu-1")
        #expect((named.nodeName, named.isOneOfSeveral) == ("eu-1", true))
        let unnamed = try read("")
        #expect(unnamed.nodeName == ProcessInfo.processInfo.hostName)
        #expect(!unnamed.isOneOfSeveral)
        #expect(try read("store: postgres://db/belfry").isOneOfSeveral)
        #expect(problems("node: two words").count == 1)
        #expect(problems("node: \(String(repeating: "n", count: 64))").count == 1)
    }

    @Test func `say how often to look into the outbox, and whose rights hold for it`() throws {
        let url = "store: {url: 'postgres://db/belfry'"
        #expect(try read("").store.outboxInterval == .milliseconds(100))
        #expect(try read(url + ", outboxInterval: 0s}").store.outboxInterval == .zero)
        // It needs nothing else to be known by.
        let named = try read(url + ", outboxPublisher: shop}\npublishers: {shop: {events: [order_sent]}}")
        #expect(named.store.outboxPublisher == "shop")
        for (yaml, hint) in [
            ("store: {outboxPublisher: shop}\npublishers: {shop: {uid: 1}}", "needs store.url"),
            (url + ", outboxPublisher: shop}", "there are none"),
            (url + ", outboxPublisher: shop}\npublishers: {other: {uid: 1}}", "expected other"),
            (url + ", outboxPublisher: shop}\npublishers: {shop: {calls: [trail]}}", "publishers.shop.calls"),
            (url + ", outboxInterval: 1ms}", "from 10ms to 1m"),
        ] {
            let told = problems(yaml)
            #expect(told.count == 1 && told[0].contains(hint), "\(told)")
        }
    }
}
