package import JSON

/// A server's frame on the client's side.
package struct ReceivedFrame: Sendable, Hashable {
    package let type: String
    /// All members, unchanged.
    package let object: JSONObject
    /// The frame's JSON, unchanged.
    package let json: [UInt8]

    /// Why bytes are no frame of the gateway.
    package enum Problem: Error, Sendable, Hashable {
        case invalidJSON(JSONSyntaxError)
        /// Not an object with a `type`.
        case missingType
    }

    package init(parsing json: [UInt8]) throws(Problem) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: json)
        } catch {
            throw .invalidJSON(error)
        }
        guard case .object(let object) = value, let type = object["type"]?.string else { throw .missingType }
        self.type = type
        self.object = object
        self.json = json
    }

    /// The frames of one WebSocket message: several, one a line, for a client that accepts that.
    package static func frames(in message: [UInt8]) throws(Problem) -> [ReceivedFrame] {
        var frames: [ReceivedFrame] = []
        for line in message.split(separator: .lineFeed) { frames.append(try ReceivedFrame(parsing: Array(line))) }
        return frames
    }

    /// Whether the frame shows a notification that is new or has changed.
    package var isNotification: Bool { type == "new" || type == "update" }

    package var seq: Int64? { object["seq"]?.int }
    package var epoch: String? { object["epoch"]?.string }
    package var unread: Int64? { object["unread"]?.int }
    package var unseen: Int64? { object["unseen"]?.int }
}
