import Inbox
import Push
import Store
import Testing
import Transport

@testable import Gateway

struct AppMetricsTests {
    private func named(_ names: [String]) throws -> [AppName] { try names.map { try #require(AppName($0)) } }

    private func text(_ metrics: Metrics) throws -> String {
        try metrics.prometheusText(connections: 0, Edge(Settings()), store: StoreReading(), nil, nil)
    }

    private func series(_ metrics: Metrics, _ name: String = "belfry_app_") throws -> [String] {
        try text(metrics).split(separator: "\n").filter { $0.hasPrefix(name) }.map(String.init)
    }

    private func change(of name: String, in app: AppName) throws -> Commit.InboxDelivery {
        var state = InboxState(epoch: "e")
        return Commit.InboxDelivery(
            user: try #require(UserID(name, in: app)), change: InboxChange(stamp: state.add(), kind: .seen(upTo: 0)))
    }

    @Test func `where no app has a name the text has nothing by app, and naming one changes no other line`() throws {
        #expect(try !text(Metrics()).contains("app"))
        let lines = try text(Metrics(namedApps: named(["golf"]))).split(separator: "\n")
        #expect(try lines.filter { !$0.contains("belfry_app_") } == text(Metrics()).split(separator: "\n"))
    }

    @Test func `each app's series are in the format`() throws {
        let samples = try PrometheusTextTests().parse(text(Metrics(namedApps: named(["golf", "rooms"]))))
        let events = samples.filter { $0.name == "belfry_app_events_total" }
        #expect(events.map(\.labels) == ["", "golf", "rooms", "other"].map { #"{app="\#($0)"}"# })
    }

    @Test func `what happens in an app counts for it and in all`() throws {
        let apps = try named(["golf", "rooms"])
        let metrics = Metrics(namedApps: apps)
        for (count, app) in zip(1..., [.unnamed] + apps) {
            metrics.published(count, in: app)
            metrics.changed(try (0..<count).map { try change(of: "sarah-\($0)", in: app) })
            for number in 1...count {
                metrics.sessions(of: try #require(UserID("tom-\(number)", in: app)), by: .polls, changeBy: 1)
            }
            metrics.sessions(of: try #require(UserID("tom-1", in: app)), by: .polls, changeBy: -1)
        }
        #expect([metrics.eventsPublished.count, metrics.changes.count, metrics.sessions.level] == [6, 6, 3])
        for (name, counts) in [
            ("belfry_app_events_total", [1, 2, 3, 0]), ("belfry_app_changes_total", [1, 2, 3, 0]),
            ("belfry_app_sessions", [0, 1, 2, 0]),
        ] {
            let labels = ["", "golf", "rooms", "other"]
            #expect(
                try series(metrics, name) == zip(labels, counts).map { "\(name){app=\"\($0)\"} \($1)" })
        }
    }

    @Test func `verdicts about an app's pushes count for it`() throws {
        let golf = try #require(AppName("golf"))
        let metrics = Metrics(namedApps: [golf])
        metrics.apps?[ofKey: golf.key("sarah")].verdicts.count(.accepted)
        metrics.apps?[ofKey: golf.key("sarah")].verdicts.count(.refused(reason: "BadTopic"))
        #expect(
            try series(metrics, #"belfry_app_pushes_total{app="golf""#) == [
                #"belfry_app_pushes_total{app="golf",verdict="accepted"} 1"#,
                #"belfry_app_pushes_total{app="golf",verdict="device_gone"} 0"#,
                #"belfry_app_pushes_total{app="golf",verdict="busy"} 0"#,
                #"belfry_app_pushes_total{app="golf",verdict="refused"} 1"#,
            ])
    }

    @Test func `a hundred apps by name are told apart, and all others count together`() throws {
        let apps = try named((100..<250).map { "app-\($0)" })
        let metrics = Metrics(namedApps: apps)
        for app in [.unnamed] + apps { metrics.published(1, in: app) }
        let events = try series(metrics, "belfry_app_events_total")
        #expect(events.count == 101)
        #expect(events.first == #"belfry_app_events_total{app=""} 1"#)
        #expect(events.dropLast().last == #"belfry_app_events_total{app="app-198"} 1"#)
        #expect(events.last == #"belfry_app_events_total{app="other"} 51"#)
    }

    @Test func `an app that is called as the others are counts with them, as does one that the settings forgot`() throws
    {
        let metrics = Metrics(namedApps: try named(["golf", "other"]))
        for app in try named(["other", "gone"]) { metrics.published(1, in: app) }
        let events = try series(metrics, "belfry_app_events_total")
        #expect(events.map { $0.split(separator: " ").last } == ["0", "0", "2"])
    }
}
