import Push

/// What a connection is to do about one request.
enum SinkDecision {
    case answer(PushReply)
    case answerLater(PushReply, Duration)
    /// Nothing, ever.
    case silence
    case reset
    case refuse
    /// No requests are taken from this one on.
    case goAwayBefore
    /// This request is the last one.
    case goAwayAfter(PushReply)
    case drop

    /// What the sender gets; nil for nothing.
    var reply: PushReply? {
        switch self {
        case .answer(let reply), .answerLater(let reply, _), .goAwayAfter(let reply): reply
        case .silence, .reset, .refuse, .goAwayBefore, .drop: nil
        }
    }
}
