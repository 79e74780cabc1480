import Testing

@testable import Gateway

struct DepartureTests {
    /// A departure with a deadline of thirty seconds, and what is left of the node.
    struct Node {
        private let start = ContinuousClock.now
        private var departure: Departure
        var view: Departure.View

        init(_ view: Departure.View) {
            self.view = view
            departure = Departure(at: start, deadline: .seconds(30))
        }

        mutating func look(after seconds: Double) -> [Departure.Step] {
            departure.look(view, at: start + .seconds(seconds))
        }

        mutating func storeClosed() { departure.storeClosed() }
    }

    static let idle = Departure.View()

    @Test func `with nobody there it closes the store, and then it is the end`() {
        var node = Node(Self.idle)
        #expect(node.look(after: 0) == [.closeStore])
        #expect(node.look(after: 0.02) == [])
        node.storeClosed()
        #expect(node.look(after: 0.04) == [.finishConnections, .end])
        #expect(node.look(after: 0.06) == [])
    }

    @Test func `the store waits for the publishers' listeners and for what was taken in`() {
        var node = Node(Departure.View(publishListeners: 2, work: 3, connections: 3))
        #expect(node.look(after: 0) == [])
        node.view.publishListeners = 0
        #expect(node.look(after: 0.1) == [])
        node.view.work = 0
        #expect(node.look(after: 0.2) == [.closeStore])
    }

    @Test func `a publish that does not end holds the store for two seconds at most`() {
        var node = Node(Departure.View(work: 1, connections: 1))
        #expect(node.look(after: 1.99) == [])
        #expect(node.look(after: 2) == [.closeStore])
    }

    @Test func `sessions keep neither the store nor HTTP connections, and have the time up to the deadline`() {
        var node = Node(Departure.View(webSockets: 5, connections: 7))
        #expect(node.look(after: 0) == [.closeStore])
        node.storeClosed()
        #expect(node.look(after: 0.1) == [.finishConnections])
        node.view.connections = 5
        for second in 1..<30 { #expect(node.look(after: Double(second)) == []) }
        #expect(node.look(after: 30) == [.closeSessions])
        #expect(node.look(after: 31.9) == [])
        #expect(node.look(after: 32) == [.end])
    }

    @Test func `when the last session has gone before the deadline, it is the end`() {
        var node = Node(Departure.View(webSockets: 5, connections: 5))
        _ = node.look(after: 0)
        node.storeClosed()
        _ = node.look(after: 0.1)
        node.view = Self.idle
        #expect(node.look(after: 12) == [.end])
    }

    @Test func `clients that have begun to connect are taken in before connections are finished`() {
        var node = Node(Departure.View(remoteListeners: 2))
        #expect(node.look(after: 0) == [.closeStore])
        node.storeClosed()
        #expect(node.look(after: 0.4) == [])
        node.view.remoteListeners = 0
        #expect(node.look(after: 0.6) == [.finishConnections, .end])
    }

    @Test func `a connection that does not finish is waited for two seconds once there is no session`() {
        var node = Node(Departure.View(connections: 1))
        _ = node.look(after: 0)
        node.storeClosed()
        #expect(node.look(after: 1) == [.finishConnections])
        #expect(node.look(after: 2.9) == [])
        #expect(node.look(after: 3) == [.end])
    }

    @Test func `it never ends while the store has not closed`() {
        var node = Node(Departure.View(webSockets: 1, connections: 1))
        #expect(node.look(after: 0) == [.closeStore])
        node.view = Self.idle
        #expect(node.look(after: 30) == [.finishConnections])
        #expect(node.look(after: 99) == [])
        node.storeClosed()
        #expect(node.look(after: 100) == [.end])
    }
}
