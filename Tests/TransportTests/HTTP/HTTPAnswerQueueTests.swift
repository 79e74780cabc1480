import Testing
import WireProtocol

@testable import Transport

struct HTTPAnswerQueueTests {
    private func head(_ path: String, _ fields: [(String, String)] = []) throws -> HTTPRequestHead {
        var headers = HTTPHeaders()
        headers.add("Host", "a")
        for (name, value) in fields { headers.add(name, value) }
        return try HTTPRequestHead(method: "GET", target: path, headers: headers)
    }

    @Test func `answers leave in the order of their requests, whatever order they come in`() throws {
        var queue = HTTPAnswerQueue()
        for serial in 7...10 { queue.expect(try head("/\(serial)"), serial: UInt64(serial)) }
        var left: [String] = []
        for serial in [9, 7, 10, 8] {
            let isAwaited = queue.settle(HTTPResponse(status: 200 + serial), serial: UInt64(serial))
            #expect(isAwaited)
            while let (head, response) = queue.next() { left.append("\(head.path) \(response.status)") }
            if serial == 9 { #expect(left.isEmpty) }
            if serial == 7 { #expect(left == ["/7 207"] && queue.count == 3) }
        }
        #expect(left == ["/7 207", "/8 208", "/9 209", "/10 210"])
        #expect(queue.isEmpty && queue.count == 0)
    }

    @Test func `an answer counts once, and only for a request that is under way`() throws {
        var queue = HTTPAnswerQueue()
        var taken = [queue.settle(HTTPResponse(status: 200), serial: 1)]
        queue.expect(try head("/1"), serial: 1)
        queue.expect(try head("/2"), serial: 2)
        for status in [200, 500] { taken.append(queue.settle(HTTPResponse(status: status), serial: 1)) }
        let first = queue.next()
        #expect(first?.response.status == 200)
        for serial: UInt64 in [0, 1, 3] { taken.append(queue.settle(HTTPResponse(status: 500), serial: serial)) }
        #expect(taken == [false, true, false, false, false, false])
        let second = queue.next()
        #expect(second == nil)
    }

    @Test func `a request that closes is the last one`() throws {
        var queue = HTTPAnswerQueue()
        #expect(!queue.endsConnection)
        queue.expect(try head("/1"), serial: 1)
        #expect(!queue.endsConnection)
        queue.expect(try head("/2", [("Connection", "close")]), serial: 2)
        #expect(queue.endsConnection)
    }
}
