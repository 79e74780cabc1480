import Testing

@testable import Transport
@testable import WireProtocol

struct AdmissionLeaseTests {
    @Test func `a place is free when its lease goes`() throws {
        let admission = Admission(AdmissionLimits(connections: 1))
        var lease: AdmissionLease? = try admission.admit(nil, at: .now).get()
        #expect(lease != nil && admission.openConnections == 1)
        lease = nil
        #expect(admission.openConnections == 0)
    }

    @Test func `where no address counts the place goes over to the connection, and the lease is not needed`() throws {
        let admission = Admission(AdmissionLimits(connections: 1))
        let place = try admission.admit(nil, at: .now).get().settled()
        if case .held = place { Issue.record("the lease is still held") }
        #expect(admission.openConnections == 1)
        place.end()
        #expect(admission.openConnections == 0)
    }

    @Test func `where addresses count the lease stays, and frees the place when it goes`() throws {
        let admission = Admission(AdmissionLimits(connectionsPerAddress: 2))
        var place = try admission.admit(IPAddress("192.0.2.1"), at: .now).get().settled()
        if case .counted = place { Issue.record("the address is forgotten") }
        place.end()
        #expect(admission.openConnections == 1)
        place = .none
        #expect(admission.openConnections == 0)
    }
}
