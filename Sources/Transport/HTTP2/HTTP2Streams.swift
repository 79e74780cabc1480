/// The exchanges of a connection that have a stream, by its number.
///
/// Streams are numbered in order, and most end in about that order. An array of places for the latest few finds nearly
/// all of them. Streams whose place is needed by another move to a dictionary, which takes ten times as long.
struct HTTP2Streams {
    private struct Place {
        var stream: Int32 = 0
        var exchange: HTTP2Exchange?
    }

    /// A power of two, and more than the usual number of streams under way.
    private static let places = 256
    private var places = [Place](repeating: Place(), count: Self.places)
    private var others: [Int32: HTTP2Exchange] = [:]

    subscript(stream: Int32) -> HTTP2Exchange? {
        let index = Self.index(of: stream)
        if places[index].stream == stream { return places[index].exchange }
        return others.isEmpty ? nil : others[stream]
    }

    /// - Parameter stream: an unused number.
    mutating func insert(_ exchange: HTTP2Exchange, _ stream: Int32) {
        let index = Self.index(of: stream)
        if let earlier = places[index].exchange { others[places[index].stream] = earlier }
        places[index] = Place(stream: stream, exchange: exchange)
    }

    mutating func remove(_ stream: Int32) -> HTTP2Exchange? {
        let index = Self.index(of: stream)
        guard places[index].stream == stream else { return others.isEmpty ? nil : others.removeValue(forKey: stream) }
        return places[index].exchange.take()
    }

    /// A client's stream numbers are odd (RFC 9113 §5.1.1).
    private static func index(of stream: Int32) -> Int { Int(stream >> 1) & (places - 1) }
}
