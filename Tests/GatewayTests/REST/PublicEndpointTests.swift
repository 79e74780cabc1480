import Testing

@testable import Gateway

struct PublicEndpointTests {
    @Test(
        arguments: [
            .inbox(.list), .inbox(.unreadCount), .inbox(.read), .devices(.playerID), .devices(.registerDevice), .poll,
        ] as [PublicEndpoint])
    func `what apps on phones call takes any query`(_ endpoint: PublicEndpoint) {
        #expect(endpoint.parameters == nil)
    }

    @Test(
        arguments: [
            (.inbox(.clear), ["upTo"]), (.inbox(.seen), ["upTo"]), (.inbox(.readAll), ["upTo"]), (.inbox(.remove), []),
            (.devices(.register), ["app"]),
            (.devices(.remove), ["app"]), (.settings(.writePreferences), []), (.feed(.markViewed), []),
        ] as [(PublicEndpoint, [String])])
    func `other calls that change something take what they know`(_ endpoint: PublicEndpoint, _ known: [String]) {
        #expect(endpoint.parameters == known)
    }
}
