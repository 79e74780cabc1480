import Inbox
import Push
import WireProtocol

@testable import Gateway

/// A push service that Belfry does not come with: all that one takes is in this folder, and a line where it is listed.
struct PigeonService: PushService {
    /// Gets the pushes that this service sends.
    let sender: ScriptedSender

    let provider = Device.Provider.pigeon

    let fields: [SettingField] = [
        .optional("push.pigeon.loft", \.push.pigeon.loft, expecting: "a loft's name", alias: "PIGEON_LOFT")
    ]

    func isNamed(in settings: Settings.Push) -> Bool { settings.pigeon.loft != nil }

    let members = ["ring"]

    func address(_ request: AddressRequest) throws(Problem) -> DeviceAddress {
        DeviceAddress(token: try request.members.requiredText("ring", .ring))
    }

    func makeSender(_ settings: Settings.Push, _ tools: SenderTools) -> (any PushSender)? {
        settings.pigeon.loft == nil ? nil : sender
    }

    func makeSinkService(_ parts: SinkParts) -> (any SinkService)? {
        PlainSinkService(provider: provider, standIn: PigeonStandIn()) { path in
            path.hasPrefix("/pigeons/")
        } check: { _, _ in
            .valid
        }
    }
}

extension Device.Provider {
    static let pigeon = Device.Provider(
        name: "pigeon", place: 4, silence: nil,
        manual: ProviderManual(
            title: "The loft", variables: "PIGEON", credential: "PIGEON_LOFT",
            advice: ["HAWK": "Wait until it has left."]))
}

extension Settings {
    struct Pigeon: ServiceSettings {
        var loft: String?
    }
}

extension Settings.Push {
    var pigeon: Settings.Pigeon {
        get { byService[Settings.Pigeon.self] }
        set { byService[Settings.Pigeon.self] = newValue }
    }
}

extension TextRule<String> {
    static let ring = TextRule(expectation: "the number on the pigeon's ring") { text in
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } && !text.isEmpty ? text : nil
    }
}

/// The loft as the sink plays it.
struct PigeonStandIn: ProviderStandIn {
    func device(of request: SinkRequest) -> String? { request.path.split(separator: "/").last.map(String.init) }

    func receive(_ request: SinkRequest, credential: CredentialCheck, id: String) -> StandInOutcome {
        StandInOutcome(reply: PushReply(status: 204))
    }

    func reply(_ answer: SinkFault.Answer, to request: SinkRequest, id: String) -> PushReply {
        PushReply(status: answer.status)
    }
}
