import Push
import WireProtocol

/// A push service as one value: everything in which services differ, apart from the rules about who gets what.
///
/// A service's folder has its settings, its sender and its sink; `Push` has its requests and verdicts. ``PushServices``
/// is the one list that names it.
protocol PushService: Sendable {
    var provider: Device.Provider { get }

    // MARK: Settings

    /// Its settings; their paths begin with `push.`.
    var fields: [SettingField] { get }

    /// Settings that need each other; nil if one alone is enough.
    var need: ServiceNeed? { get }

    /// Whether the settings set it up.
    func isNamed(in settings: Settings.Push) -> Bool

    // MARK: Devices

    /// The members of a registration that form the device's address, beside its token: `keys`, for example.
    var members: [String] { get }

    /// Whether a token is for one of two environments, which a device may tell.
    var hasEnvironments: Bool { get }

    /// The device's address at this service.
    func address(_ request: AddressRequest) throws(Problem) -> DeviceAddress

    // MARK: Sending

    /// Nil unless the settings set it up.
    ///
    /// - Throws: ``ServerError`` for an unreadable key, with the setting that names it.
    func makeSender(_ settings: Settings.Push, _ tools: SenderTools) async throws -> (any PushSender)?

    // MARK: Trying

    /// The service that a sink runs in its place; nil if there is none.
    func makeSinkService(_ parts: SinkParts) throws -> (any SinkService)?

    /// The environment variables that point a server at a sink. Writes the files that they name.
    ///
    /// - Parameter base: the sink's URL, without a slash at its end.
    func sinkVariables(_ folder: SinkFolder, base: String) throws -> [(name: String, value: String)]
}

extension PushService {
    var need: ServiceNeed? { nil }
    var members: [String] { [] }
    var hasEnvironments: Bool { false }
    func makeSinkService(_ parts: SinkParts) throws -> (any SinkService)? { nil }
    func sinkVariables(_ folder: SinkFolder, base: String) throws -> [(name: String, value: String)] { [] }
}
