/// Whom a timer calls.
enum TimerTarget {
    case connection(ConnectionID)
    case callback((borrowing OnShard) -> Void)
}
