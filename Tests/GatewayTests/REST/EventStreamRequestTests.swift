import Testing
import WireProtocol

@testable import Gateway

struct EventStreamRequestTests {
    private func frames(_ query: String, _ headers: HTTPHeaders = ["Host": "localhost"]) throws -> [ClientFrame] {
        try EventStreamRequest(
            try HTTPRequestHead(method: "GET", target: "/v1/live/events\(query)", headers: headers)
        ).frames
    }

    @Test func `without a query it is the hello of somebody who looks and knows nothing`() throws {
        #expect(try frames("") == [ClientFrame(.hello(.init()))])
    }

    @Test func `the query says what the first frames would`() throws {
        #expect(
            try frames("?resume=e1.12&active=false&device=phone&feed=posts,news&feed=rooms") == [
                ClientFrame(.hello(.init(resume: .init(epoch: "e1", seq: 12), device: "phone", isActive: false))),
                ClientFrame(.subscribe(feed: "posts", after: nil)), ClientFrame(.subscribe(feed: "news", after: nil)),
                ClientFrame(.subscribe(feed: "rooms", after: nil)),
            ])
    }

    @Test func `a browser that comes back by itself is where its last event was`() throws {
        #expect(
            try frames("?resume=e1.12", ["Host": "localhost", "Last-Event-ID": "e1.40"])
                == [ClientFrame(.hello(.init(resume: .init(epoch: "e1", seq: 40))))])
    }

    @Test(arguments: ["resume=12", "resume=e1.", "resume=.12", "resume=e1.-1", "resume=e1.1.2", "active=yes"])
    func `a wrong parameter is refused`(_ query: String) {
        #expect(throws: Problem.self) { try frames("?\(query)") }
    }
}
