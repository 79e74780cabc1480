import ArgumentParser
import Bench
import Foundation
import Transport

struct BenchPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Publish events for users with a phone: pushes a second.",
        discussion: HelpText.with(
            """
            Registers an APNs device for each user, publishes events for them in turn, and counts by the server's metrics \
            which pushes the push service has accepted. So it needs three things: a server whose APNs is a stand-in such as \
            `belfry sink` (never the real one: the devices are made up), its public address as --url and its operators' \
            address as --ops.
            """, title: "Example, in three terminals and the same folder",
            examples: "belfry sink --quiet",
            #"eval "$(belfry sink --print-env)" && belfry serve --dev --catalog Config/catalogs/rooms.yaml"#,
            "belfry bench push --ops http://127.0.0.1:9090"))

    /// The number of devices that are registered at the same time.
    private static let registrations = 32

    @OptionGroup var options: BenchRunOptions
    @OptionGroup var server: BenchServerOptions
    @OptionGroup var event: BenchEventOptions

    @Option(help: ArgumentHelp("Where the server's metrics are, http://host:port.", valueName: "url"))
    var ops = "http://127.0.0.1:9090"

    @Option(help: ArgumentHelp("How many users with a device get events, in turn.", valueName: "number"))
    var users = 1_000

    @Option(help: ArgumentHelp("Events a second; 0 for as fast as the answers come.", valueName: "number"))
    var rate = 500.0

    @Option(help: ArgumentHelp("Connections that publish side by side.", valueName: "number"))
    var publishers = 8

    func validate() throws {
        try BenchValidation.check(rate: rate)
        try BenchValidation.check(publishers: publishers)
        try BenchValidation.check(users: users)
    }

    func run() async throws {
        try await BenchPreparation.reporting {
            var preparation = try BenchPreparation("push", options)
            try preparation.needTokens(secretFile: server.secretFile)
            try preparation.offline(
                "pushes", event, users: users, rate: rate > 0 ? rate : nil, publishers: publishers)
            preparation.note("users", "\(users)")
            // Pushes may come long after their events.
            preparation.plan.patience = .seconds(10)
            guard let credential = preparation.credential, let prefix = preparation.plan.streams.first?.userPrefix
            else {
                return
            }
            let tokens = try BenchTarget.tokens(credential)
            try await preparation.target.checkSocket()
            var clientSettings = HTTPClientSettings()
            clientSettings.caFile = server.ca
            clientSettings.connectionsPerHost = Self.registrations
            let client = try HTTPClient(clientSettings)
            try await register(prefix, tokens, client)
            let counter = PushCounter { [ops] in
                try await Self.fetch(
                    HTTPClientRequest(method: "GET", url: ops + "/metrics", timeout: .seconds(10)), client,
                    expecting: "the server's operators' address (--ops)")
            }
            try await counter.look()
            preparation.metrics = counter
            try await preparation.run()
        }
    }

    private func register(_ prefix: String, _ tokens: @escaping TokenSource, _ client: HTTPClient) async throws {
        let url = try WebSocketURL(server.url)
        let address = "\(url.isSecure ? "https" : "http")://\(url.authority)/api/notifications/register-device"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<users {
                if number >= Self.registrations { try await group.next() }
                group.addTask {
                    let digits = String(number, radix: 16)
                    let token = String(repeating: "0", count: 64 - digits.count) + digits
                    let body = #"{"device_id":"bench-\#(number)","apns_token":"\#(token)"}"#
                    let headers = [
                        ("Authorization", "Bearer \(try tokens(prefix + String(number)))"),
                        ("Content-Type", "application/json"),
                    ]
                    let request = HTTPClientRequest(
                        method: "POST", url: address, headers: headers, body: Array(body.utf8), timeout: .seconds(30))
                    _ = try await Self.fetch(
                        request, client, expecting: "the server's public address (--url)")
                }
            }
            try await group.waitForAll()
        }
    }

    /// - Parameter place: a name for the expected server at this address.
    private static func fetch(
        _ request: HTTPClientRequest, _ client: HTTPClient, expecting place: String
    ) async throws -> [UInt8] {
        let result = await withCheckedContinuation { continuation in
            client.send(request) { continuation.resume(returning: $0) }
        }
        switch result {
        case .success(let response) where (200..<300).contains(response.status): return response.body
        case .success(let response):
            throw BenchFailure(
                "\(request.url): expected \(place), but it was answered with status \(response.status)")
        case .failure(let error):
            throw BenchFailure("\(request.url): \(error); expected \(place): is the server running?")
        }
    }
}
