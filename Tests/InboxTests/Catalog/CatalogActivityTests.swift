import Inbox
import JSON
import Testing

/// What catalogs tell Live Activities.
struct CatalogActivityTests {
    private static let yaml = """
        catalog: shop
        app: shop
        events:
          sent: {routes: [{to: buyer, type: SENT}]}
          moved: {routes: [{to: buyer, type: MOVED}]}
          arrived: {routes: [{to: buyer, type: ARRIVED}]}
        types:
          SENT:
            text: "Your order is on its way"
            activity:
              event: start
              key: "order-{{order.id}}"
              type: OrderAttributes
              attributes: {number: {value: order.number}, shop: "{{actor}}"}
              state: {step: sent, minutes: {value: minutes}, note: {value: note, default: null}}
              alert: {title: "Order {{order.number}}", body: "It is on its way", sound: default}
              relevance: {value: minutes}
              staleAfter: 15m
          MOVED:
            text: "Your order moves"
            activity: {event: update, key: "order-{{order.id}}", state: {step: near}, priority: low}
          ARRIVED:
            text: "Your order is there"
            activity: {event: end, key: "order-{{order.id}}", state: {step: there}, dismissAfter: 0s}
        translations:
          de:
            types:
              SENT:
                activity: {alert: {title: "Bestellung {{order.number}}", body: "Sie ist unterwegs"}, state: {step: unterwegs}}
        """

    private let catalog: Catalog

    init() throws { catalog = try Catalog(yaml: Self.yaml, file: "shop.yaml") }

    private func activity(
        of event: String, _ data: JSONObject = ["order": ["id": "o1", "number": 7], "minutes": 12],
        in locale: String? = nil
    ) throws -> ActivityContent? {
        let event = Event(
            type: event, actor: ["id": "u1", "firstName": "Ada"],
            to: [.init(name: "buyer", users: Rooms.users("b"))], data: data)
        let routed = try catalog.route(event)
        return try #require(routed.routes.first).type
            .activity(for: routed.event, own: nil, reader: Reader(locale: locale))
    }

    private func mistakes(_ activity: String, beside: String = "") -> [String] {
        let yaml = """
            catalog: shop
            events: {sent: {routes: [{to: buyer, type: SENT}]}}
            types: {SENT: {text: "x", activity: \(activity)\(beside)}}
            """
        do throws(CatalogError) {
            _ = try Catalog(yaml: yaml, file: "shop.yaml")
            return []
        } catch {
            return error.issues.map { "\($0.key): \($0.message)" }
        }
    }

    @Test func `a start has its type, values, words and terms`() throws {
        let content = try #require(try activity(of: "sent"))
        #expect((content.event, content.key, content.app) == (.start, "order-o1", "shop"))
        #expect(content.beginning == .init(type: "OrderAttributes", attributes: ["number": 7, "shop": "Ada"]))
        #expect(content.state == ["step": "sent", "minutes": 12, "note": nil])
        #expect(content.alert == .init(title: "Order 7", body: "It is on its way", sound: "default"))
        #expect(content.relevance == 12)
        #expect((content.staleAfter, content.priority) == (.seconds(900), .high))
    }

    @Test func `updates and ends have no more than their keys`() throws {
        let moved = try #require(try activity(of: "moved"))
        #expect((moved.event, moved.beginning, moved.alert, moved.priority) == (.update, nil, nil, .low))
        let arrived = try #require(try activity(of: "arrived"))
        #expect((arrived.event, arrived.dismissAfter) == (.end, .zero))
    }

    @Test func `each reader's activity has the words of their language`() throws {
        let content = try #require(try activity(of: "sent", in: "de-AT"))
        #expect(content.alert == .init(title: "Bestellung 7", body: "Sie ist unterwegs", sound: "default"))
        #expect(content.state["step"] == "unterwegs")
        #expect(content.state["minutes"] == 12)
    }

    @Test func `an event needs what its activity shows`() {
        #expect(throws: EventProblem.self) { try activity(of: "sent", ["order": ["id": "o1", "number": 7]]) }
        #expect(throws: EventProblem.self) { try activity(of: "moved", ["order": [:]]) }
    }

    @Test func `a key that is empty or too long tells no activity, and a relevance that is no number is left out`()
        throws
    {
        #expect(try activity(of: "moved", ["order": ["id": .string(String(repeating: "x", count: 200))]]) == nil)
        let content = try #require(try activity(of: "sent", ["order": ["id": "o1", "number": 7], "minutes": "soon"]))
        #expect(content.relevance == nil)
    }

    @Test func `what is stored is read as it was`() throws {
        for event in ["sent", "moved", "arrived"] {
            let content = try #require(try activity(of: event))
            #expect(ActivityContent(json: content.json) == content)
        }
        #expect(ActivityContent(json: [:]) == nil)
    }

    @Test func `a mistake names its key and what is expected`() {
        let start = #"event: start, key: k, state: {a: 1}"#
        #expect(mistakes("{\(start)}").count == 2)
        #expect(mistakes("{\(start), type: T}").first?.contains("\"alert\" is missing") == true)
        #expect(mistakes("{event: begin, key: k, state: {}}").first?.contains("start, update or end") == true)
        #expect(mistakes("{event: update, state: {}}").first?.contains("\"key\" is missing") == true)
        #expect(mistakes("{event: update, key: k}").first?.contains("\"state\" is missing") == true)
        #expect(mistakes("{event: update, key: k, state: {}, type: T}").first?.contains("only a start has it") == true)
        #expect(mistakes("{event: update, key: k, state: {}, dismissAfter: 1m}").first?.contains("only an end") == true)
        #expect(mistakes("{event: end, key: k, state: {}, dismissAfter: 5h}").first?.contains("at most 4h") == true)
        #expect(mistakes("{event: update, key: k, state: {}, staleAfter: 9h}").first?.contains("at most 8h") == true)
        #expect(mistakes("{event: update, key: k, state: {}, relevance: much}").first?.contains("a number") == true)
        #expect(mistakes("{event: update, key: k, state: {}, colour: red}").first?.contains("unknown key") == true)
        let batch = #", batch: {window: 5m, by: [actor.id], count: things, nouns: {one: a, other: b}}"#
        #expect(mistakes("{event: update, key: k, state: {}}", beside: batch).first?.contains("no batch") == true)
    }
}
