import Inbox
package import JSON
import WireProtocol

/// What the program knows about its own interfaces: every route, setting and code. `scripts/specifications` makes
/// `docs/openapi.yaml`, `docs/asyncapi.yaml` and `docs/schemas` of it, with schemas that are written by hand.
package enum Specification {
    /// Writes one JSON object.
    package static func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("version", Release.version)
            json.key("listeners")
            json.object { json in
                json.key("public")
                json.array { json in write(PublicService.routes, to: &json) { $0.access } }
                json.key("publishing")
                json.array { json in write(PublishingService.routes, to: &json) { $0.access } }
                json.key("operators")
                json.array { json in
                    write(OpsService.routes, to: &json) { _ in .everybody }
                    write(ConsoleService.routes, to: &json) { $0.access }
                }
            }
            json.member("consoleCookie", ConsoleAccess.cookie)
            json.key("settings")
            json.array { json in for field in Settings.exemplary.fields { field.write(to: &json) } }
            json.objects("liveErrors", LiveErrorCode.allCases) { code, json in
                json.member("code", code.rawValue)
                json.member("meaning", code.meaning)
            }
            json.objects("liveCloses", LiveCloseCode.allCases) { code, json in
                json.member("code", Int64(code.rawValue))
                json.member("reason", code.reason)
            }
        }
    }

    private static func write<Handler>(
        _ routes: [Route<Handler>], to json: inout JSONWriter, access: (Handler) -> RouteAccess
    ) {
        for route in routes { route.write(access(route.handler), to: &json) }
    }
}

extension JSONWriter {
    /// Writes a member with an array that has an object for each element.
    fileprivate mutating func objects<Element>(
        _ key: StaticString, _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
    ) {
        self.key(key)
        array { json in
            for element in elements { json.object { write(element, &$0) } }
        }
    }
}

extension Route {
    /// - Parameter access: the handler's.
    fileprivate func write(_ access: RouteAccess, to json: inout JSONWriter) {
        json.object { json in
            json.member("method", method)
            json.member("path", path)
            json.objects("query", query.parameters) { parameter, json in
                json.member("name", parameter.name)
                json.member("isList", parameter.isList)
            }
            if case .any = query { json.member("ignoresOthers", true) }
            json.member("body", "\(body)")
            json.key("answers")
            json.object { json in
                for (status, content) in answers.contents.sorted(by: { $0.key < $1.key }) {
                    json.key(dynamic: String(status))
                    json.value(.string(content.rawValue))
                }
            }
            let problems = answers.problems.union(RouteAnswers.usualProblems).sorted()
            json.member("problems", .array(problems.map { .int(Int64($0)) }))
            switch access {
            case .everybody, .user, .guest, .session, .operator: json.member("access", "\(access)")
            case .publisher(let right):
                json.member("access", "publisher")
                if let right { json.member("right", right.rawValue) }
            }
        }
    }
}

extension SettingField {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            json.member("variables", .array(([variable] + (alias.map { [$0] } ?? [])).map(JSONValue.string)))
            json.member("expected", expectation)
            json.member("isList", isList)
            switch form {
            case .text: json.member("form", "text")
            case .truth: json.member("form", "truth")
            case .duration: json.member("form", "duration")
            case .mode: json.member("form", "mode")
            case .number(let least):
                json.member("form", "number")
                if let least { json.member("least", least) }
            case .share: json.member("form", "share")
            case .choice(let words):
                json.member("form", "choice")
                json.member("words", .array(words.map(JSONValue.string)))
            }
        }
    }
}

extension Settings {
    /// With one named app, one provider and one publisher, so that their settings are among the fields.
    fileprivate static var exemplary: Settings {
        var settings = Settings()
        if let app = AppName("app") { settings.authByApp[app] = Auth() }
        settings.providers["provider"] = Provider()
        settings.publishers["publisher"] = Publisher()
        settings.webhooks.endpoints["endpoint"] = Webhooks.Endpoint()
        return settings
    }
}
