/// How the frames of a live session travel.
enum LiveWay: String, CaseIterable {
    case webSocket = "websocket"
    case eventStream = "events"
    case polls
}
