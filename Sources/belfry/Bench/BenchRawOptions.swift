import ArgumentParser
import Bench
import Transport
import WireProtocol

/// The protocol options for a server other than Belfry.
struct BenchRawOptions: ParsableArguments {
    @Flag(
        help: """
            Load any WebSocket server: the options below say how. Values may have {{now}} (the moment of publication), \
            {{user}}, {{index}}, {{payload}} (the moment and padding), {{size}} (the payload's bytes) and {{token}}. \
            The address is --url with its path.
            """)
    var raw = false

    @Option(help: ArgumentHelp("A field of the handshake; may be given several times.", valueName: "name: value"))
    var header: [String] = []

    @Option(help: ArgumentHelp("A subprotocol to offer; may be given several times.", valueName: "name"))
    var subprotocol: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A message to send when the WebSocket is open, such as a subscription; may be given several times. \\r and \\n \
            are read as such.
            """, valueName: "text"))
    var subscribe: [String] = []

    @Option(
        help: ArgumentHelp(
            "A session is ready when a message has this in it; without it as soon as it is open.", valueName: "text"))
    var ready: String?

    @Option(
        help: ArgumentHelp(
            "Answer a message of the server, such as PING\\r\\n=PONG\\r\\n; may be given several times.",
            valueName: "message=answer"))
    var reply: [String] = []

    @Flag(help: "Send binary messages instead of text.")
    var binary = false

    @Option(help: ArgumentHelp("Publish by a request to this address, http://host:port/path.", valueName: "url"))
    var publishUrl: String?

    @Option(help: ArgumentHelp("With this method.", valueName: "method"))
    var publishMethod = "POST"

    @Option(help: ArgumentHelp("A field of that request; may be given several times.", valueName: "name: value"))
    var publishHeader: [String] = []

    @Option(help: ArgumentHelp("What that request carries.", valueName: "text"))
    var publishBody = "{{payload}}"

    @Option(help: ArgumentHelp("Publish by this message on a WebSocket of its own instead.", valueName: "text"))
    var publishFrame: String?

    func validate() throws {
        let isUsed =
            !(header + subprotocol + subscribe + reply + publishHeader).isEmpty || ready != nil || binary
            || publishUrl != nil || publishFrame != nil
        guard raw || !isUsed else { throw ValidationError("these options belong to --raw") }
        guard publishUrl == nil || publishFrame == nil else {
            throw ValidationError("give either --publish-url or --publish-frame")
        }
    }

    var speech: RawSpeech {
        get throws {
            var speech = RawSpeech()
            speech.opening = try subscribe.map { try Self.template($0, of: "--subscribe") }
            speech.readyText = ready.map(Template.unescaped)
            speech.isBinary = binary
            speech.replies = try reply.map { text in
                let parts = text.split(separator: "=", maxSplits: 1).map { Template.unescaped(String($0)) }
                guard parts.count == 2 else { throw ValidationError("--reply: expected MESSAGE=ANSWER") }
                return RawSpeech.Reply(message: parts[0], answer: parts[1])
            }
            return speech
        }
    }

    var handshakeHeaders: [SessionPlan.Header] {
        get throws {
            try Self.fields(header, of: "--header").map { name, value in
                SessionPlan.Header(name: name, value: try Self.template(value, of: "--header"))
            }
        }
    }

    /// - Parameter session: the plan for the publisher's own WebSocket, if it has one.
    func carrier(session: SessionPlan) throws -> PublishPlan.Carrier {
        if let publishFrame {
            let message = try Self.template(publishFrame, of: "--publish-frame")
            try Self.checkMarker(in: [message], of: "--publish-frame")
            return .messages(message, isBinary: binary, session)
        }
        guard let publishUrl else { throw ValidationError("--raw needs --publish-url or --publish-frame") }
        guard publishMethod.utf8.isToken else { throw ValidationError("--publish-method: expected a method's name") }
        guard publishUrl.hasPrefix("http://"), let url = try? WebSocketURL("ws://" + publishUrl.dropFirst(7)) else {
            throw ValidationError("--publish-url: expected http://host:port/path")
        }
        var publication = HTTPPublication(
            address: url.address, host: url.authority, path: try Self.template(url.path, of: "--publish-url"),
            body: try Self.template(publishBody, of: "--publish-body"))
        publication.method = publishMethod
        publication.headers = try Self.fields(publishHeader, of: "--publish-header").map { name, value in
            SessionPlan.Header(name: name, value: try Self.template(value, of: "--publish-header"))
        }
        let templates = [publication.path, publication.body] + publication.headers.map(\.value)
        try Self.checkMarker(in: templates, of: "--publish-url, --publish-header or --publish-body")
        return .requests(publication)
    }

    private static func fields(_ texts: [String], of option: String) throws -> [(String, String)] {
        try texts.map { text in
            guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
                throw ValidationError("\(option): expected \"Name: value\"")
            }
            guard text[..<colon].utf8.isToken else {
                throw ValidationError("\(option): \"\(text[..<colon])\" is not a field's name")
            }
            return (String(text[..<colon]), String(text[text.index(after: colon)...].drop { $0 == " " }))
        }
    }

    /// Requires the marker: without it, deliveries could not be told apart.
    private static func checkMarker(in templates: [Template], of options: String) throws {
        guard templates.contains(where: \.hasMarker) else {
            throw ValidationError("expected {{payload}} or {{now}} in \(options)")
        }
        guard !templates.contains(where: { $0.has(.token) }) else {
            throw ValidationError("{{token}} belongs to a session, and cannot be used in \(options)")
        }
    }

    private static func template(_ text: String, of option: String) throws -> Template {
        do {
            return try Template(Template.unescaped(text))
        } catch {
            throw ValidationError("\(option): \(error)")
        }
    }
}
