extension Device {
    /// A push service: all facts about it, except for requests, replies and settings.
    package final class Provider: Sendable {
        /// The most services in one program: marks and the queue's rows store a provider's number in four bits.
        package static let most = 16

        /// The name in requests, settings, metrics, logs and stored rows. It must never change.
        package let name: String
        /// The number in stored rows, from 0 to 15. It must never change.
        package let place: Int
        /// The room in a push that shows nothing; nil if each push must show something.
        package let silence: Silence?
        /// The texts for operators.
        package let manual: ProviderManual

        /// The room in a push that shows nothing: it sets the number on the icon, and withdraws notifications.
        package struct Silence: Sendable {
            /// The bytes of a payload for ids. The rest is for the other members, which are short: the badge, and the
            /// inbox's epoch and position.
            package let bytesForIDs: Int
            /// The bytes of each id beside its own text.
            package let bytesAroundID: Int

            /// - Parameter bytesAroundID: two quotes and a comma; more if the quotes are escaped.
            package init(bytesForIDs: Int, bytesAroundID: Int = 3) {
                self.bytesForIDs = bytesForIDs
                self.bytesAroundID = bytesAroundID
            }
        }

        package init(name: String, place: Int, silence: Silence?, manual: ProviderManual) {
            precondition(0..<Self.most ~= place, "a provider's place has four bits")
            self.name = name
            self.place = place
            self.silence = silence
            self.manual = manual
        }

        /// Whether the service takes pushes that show nothing. For a service that takes none, shown pushes need not be
        /// remembered, because none can be withdrawn.
        package var takesSilentPushes: Bool { silence != nil }
    }
}

extension Device.Provider: Hashable {
    package static func == (one: Device.Provider, other: Device.Provider) -> Bool { one.place == other.place }
    package func hash(into hasher: inout Hasher) { hasher.combine(place) }
}

extension Device.Provider: CustomStringConvertible {
    package var description: String { name }
}
