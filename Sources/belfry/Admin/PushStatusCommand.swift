import ArgumentParser
import JSON

struct PushStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of each push service, and the pushes that it refused.",
        discussion: HelpText.with(examples: "belfry push status"))

    @OptionGroup var admin: AdminOptions

    func run() async throws {
        let answer = try await admin.client().call("GET", ["v1", "push"])
        if admin.json { return Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
        let lanes = answer.at(["lanes"])?.array ?? []
        let rows = lanes.map { lane in
            [
                lane.at(["provider"])?.string ?? "", Self.state(lane),
                "\(lane.at(["inFlight"])?.int ?? 0) of \(lane.at(["window"])?.int ?? 0)",
                lane.at(["lastJudgedAt"])?.string ?? "-",
            ]
        }
        for line in TextTable(header: ["PROVIDER", "STATE", "IN FLIGHT", "LAST JUDGED"], rows: rows).lines {
            Terminal.print(line)
        }
        for lane in lanes {
            let provider = lane.at(["provider"])?.string ?? ""
            if let failure = lane.at(["lastFailure"]) {
                Terminal.print("")
                Terminal.print(
                    "\(provider): a push got no answer, last at \(failure.at(["at"])?.string ?? ""): "
                        + "\(failure.at(["reason"])?.string ?? "")")
                Terminal.print(failure.at(["explanation"])?.string ?? "")
            }
            for refusal in lane.at(["refusals"])?.array ?? [] {
                Terminal.print("")
                Terminal.print(
                    "\(provider) refused \(refusal.at(["count"])?.int ?? 0) times, last at "
                        + "\(refusal.at(["lastAt"])?.string ?? ""): \(refusal.at(["reason"])?.string ?? "")")
                Terminal.print(refusal.at(["explanation"])?.string ?? "")
            }
        }
    }

    private static func state(_ lane: JSONValue) -> String {
        guard lane.at(["configured"]) == true else { return "not configured" }
        let state = lane.at(["state"])?.string ?? ""
        return lane.at(["pausedUntil"])?.string.map { "\(state) until \($0)" } ?? state
    }
}
