import WireProtocol

/// A connection's requests that are under way at the same time, and their answers. Answers come in any order, and leave
/// in the order of the requests (RFC 9112 §9.3.2).
struct HTTPAnswerQueue {
    private struct Entry {
        let head: HTTPRequestHead
        var response: HTTPResponse?
    }

    /// Valid from `firstPlace` on; earlier entries have left.
    private var entries: [Entry] = []
    private var firstPlace = 0
    /// The serial of the first of all `entries`.
    private var firstSerial: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }
    /// The number of requests under way.
    var count: Int { entries.count - firstPlace }
    /// Whether the connection ends with the last of these requests.
    var endsConnection: Bool { entries.last.map { !$0.head.isKeepAlive } ?? false }

    /// - Parameter serial: one more than the serial of the request before, if there is one.
    mutating func expect(_ head: HTTPRequestHead, serial: UInt64) {
        if entries.isEmpty { firstSerial = serial }
        precondition(serial == firstSerial + UInt64(entries.count))
        entries.append(Entry(head: head))
    }

    /// Returns whether this is the first answer to a request that is under way.
    mutating func settle(_ response: HTTPResponse, serial: UInt64) -> Bool {
        guard serial >= firstSerial + UInt64(firstPlace), serial - firstSerial < entries.count else { return false }
        let place = Int(serial - firstSerial)
        guard entries[place].response == nil else { return false }
        entries[place].response = response
        return true
    }

    /// Removes and returns the next answer with its request; nil until that answer has come.
    mutating func next() -> (head: HTTPRequestHead, response: HTTPResponse)? {
        guard firstPlace < entries.count, let response = entries[firstPlace].response else { return nil }
        let head = entries[firstPlace].head
        entries[firstPlace].response = nil
        firstPlace += 1
        // An empty queue holds no memory.
        if firstPlace == entries.count { self = HTTPAnswerQueue() }
        return (head, response)
    }
}
