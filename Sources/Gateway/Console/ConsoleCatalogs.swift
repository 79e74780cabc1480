import Inbox
import JSON
import Transport
import WireProtocol

/// The catalogs, with every type as people see it; and an event of which nobody has heard yet.
struct ConsoleCatalogs {
    let node: Node

    func list(_ reply: HTTPReply) {
        let catalogs = node.catalogs
        reply.send(
            .object { json in
                json.key("catalogs")
                json.array { json in
                    for (catalog, source) in zip(catalogs.byApp.catalogs, catalogs.sources) {
                        json.object { Self.write(catalog, file: source.file, to: &$0) }
                    }
                }
            })
    }

    /// The body is one event, as for a dry run.
    func render(_ call: ConsoleCall) throws(Problem) {
        let now = node.now()
        let json = try JSONBody.node(call.request.body)
        let app = try EventIntake.app(of: json, given: node.apps.given(in: call.query), node)
        let catalogs = node.catalogs(of: app)
        let routed: RoutedEvent
        do throws(EventProblem) {
            routed = try catalogs.route(Event(json: json, at: now, in: app), at: now)
        } catch {
            throw Problem(error)
        }
        guard let catalog = catalogs.catalog(forEvent: routed.event.type) else { throw .notFound }
        call.reply.send(
            .object { json in
                json.key("types")
                json.array { json in
                    for type in catalog.rendered(routed, at: now) { json.object { Self.write(type, to: &$0) } }
                }
            })
    }

    private static func write(_ catalog: Catalog, file: String, to json: inout JSONWriter) {
        json.member("name", catalog.name)
        json.member("title", catalog.title())
        if !catalog.app.isEmpty { json.member("app", catalog.app) }
        json.member("file", file)
        json.member("languages", .array(([catalog.locale] + catalog.languages).map(JSONValue.string)))
        json.member("feeds", .array(catalog.feeds.names.map(JSONValue.string)))
        json.key("feedRules")
        json.array { json in
            for rule in catalog.feeds.all {
                json.object { json in
                    json.member("name", rule.pattern.text)
                    json.member("access", words(for: rule.access))
                    json.member("keeps", rule.keepsItems)
                    json.member("length", rule.length)
                }
            }
        }
        let samples = catalog.samples(to: ["sarah", "renee"].compactMap { UserID($0) })
        json.key("events")
        json.array { json in
            for rule in catalog.eventRules {
                json.object { json in
                    json.member("type", rule.name)
                    json.member("feeds", .array(rule.feeds.map { .string($0.text) }))
                    if let sample = samples.first(where: { $0.type == rule.name }) {
                        json.member("sample", sample.json)
                    }
                }
            }
        }
        json.key("types")
        json.array { json in
            for (type, result) in catalog.renderedTypes {
                json.object { json in
                    switch result {
                    case .success(let rendered): write(rendered, to: &json)
                    case .failure(let problem): write(type, problem: "\(problem)", to: &json)
                    case nil: write(type, problem: "No event leads to it.", to: &json)
                    }
                }
            }
        }
    }

    private static func write(_ type: NotificationType, problem: String, to json: inout JSONWriter) {
        json.member("type", type.name)
        json.member("title", type.title())
        json.member("lists", [])
        json.member("problem", problem)
    }

    private static func write(_ rendered: RenderedType, to json: inout JSONWriter) {
        json.member("type", rendered.type.name)
        json.member("title", rendered.type.title())
        json.member("lists", .array(rendered.lists.map(JSONValue.string)))
        json.key("languages")
        json.array { json in
            for text in rendered.texts {
                json.object { json in
                    json.member("language", text.language)
                    if let displayText = text.displayText { json.member("displayText", displayText) }
                    guard let push = text.push else { return }
                    json.key("push")
                    json.object { json in
                        json.member("title", push.title)
                        json.member("body", push.body)
                    }
                }
            }
        }
    }

    private static func words(for access: FeedAccess) -> String {
        switch access {
        case .everybody: "everybody with a token"
        case .claim(let claim): "whose token has it in \(claim)"
        case .members(let topic): "the members of \(topic.text)"
        }
    }
}
