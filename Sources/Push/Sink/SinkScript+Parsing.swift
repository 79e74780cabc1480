import Inbox
import JSON

extension SinkScript {
    /// - Throws: for the first line that is no rule.
    package init(
        parsing text: String, seed: UInt64 = 0, of providers: ProviderList = .standard
    ) throws(SinkScriptError) {
        let routes = SinkRoute.all(of: providers)
        var rules: [Rule] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.drop(while: \.isWhitespace)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            do {
                rules.append(try Rule(SinkRuleReader(line), of: routes))
            } catch {
                throw SinkScriptError(line: index + 1, reason: error.reason)
            }
        }
        self.init(rules: rules, seed: seed)
    }
}

extension SinkScript.Rule {
    fileprivate init(_ reader: SinkRuleReader, of routes: [SinkRoute]) throws(SinkRuleReader.Problem) {
        let fault = try SinkFault(reader)
        let name = try reader.word("provider", of: routes.map(\.name))
        try reader.refuseUnknownMembers(besides: SinkFault.members(of: fault.name))
        self.init(
            route: routes.first { $0.name == name },
            request: try reader.integer("request", in: 1...Int64.max).map(Int.init),
            device: try reader.string("device"),
            times: try reader.integer("times", in: 1...Int64.max).map(Int.init),
            every: try reader.integer("every", in: 1...Int64.max).map(Int.init),
            percent: try reader.percent("percent"), fault: fault)
    }
}

extension SinkFault {
    private static let membersByName = [
        ("answer", ["status", "reason", "timestamp", "retryAfter", "headers", "body"]), ("noAnswer", ["fate"]),
        ("goAway", ["lastStream"]), ("reset", ["fate"]), ("refuseStream", []), ("drop", ["fate"]),
        ("delay", ["milliseconds"]),
    ]

    fileprivate static func members(of name: String) -> [String] {
        membersByName.first { $0.0 == name }?.1 ?? []
    }

    fileprivate init(_ reader: SinkRuleReader) throws(SinkRuleReader.Problem) {
        let names = Self.membersByName.map(\.0)
        guard let name = try reader.word("fault", of: names) else {
            // The member may be there with a misspelt name.
            try reader.refuseUnknownMembers(besides: Self.membersByName.flatMap(\.1))
            throw reader.missing("fault", names)
        }
        switch name {
        case "answer": self = .answer(try Answer(reader))
        case "noAnswer": self = .noAnswer(try Fate(reader))
        case "reset": self = .reset(try Fate(reader))
        case "refuseStream": self = .refuseStream
        case "drop": self = .drop(try Fate(reader))
        case "delay":
            guard let milliseconds = try reader.integer("milliseconds", in: 0...86_400_000) else {
                throw SinkRuleReader.Problem(reason: "a delay needs milliseconds")
            }
            self = .delay(.milliseconds(milliseconds))
        default:
            let last = try reader.word("lastStream", of: LastStream.allCases.map(\.rawValue))
            self = .goAway(last.flatMap(LastStream.init) ?? .none)
        }
    }
}

extension SinkFault.Fate {
    fileprivate init(_ reader: SinkRuleReader) throws(SinkRuleReader.Problem) {
        self = try reader.word("fate", of: Self.allCases.map(\.rawValue)).flatMap(Self.init) ?? .lost
    }
}

extension SinkFault.Answer {
    fileprivate init(_ reader: SinkRuleReader) throws(SinkRuleReader.Problem) {
        guard let status = try reader.integer("status", in: 200...599) else {
            throw SinkRuleReader.Problem(reason: "an answer needs a status in 200...599")
        }
        self.init(
            status: Int(status), reason: try reader.string("reason"),
            timestamp: try reader.integer("timestamp", in: 0...Int64.max).map { Timestamp(milliseconds: $0) },
            retryAfter: try reader.integer("retryAfter", in: 0...86_400).map { .seconds($0) },
            headers: try reader.headers("headers"), body: reader.value("body"))
    }
}
