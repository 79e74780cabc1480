import BelfryClient

/// Checks that a session tells each change once and in order, or says by a gap what it leaves out.
struct FrameReader {
    /// The last change that the session was told of; nil before `ready`.
    private var seq: Int64?
    /// Where the client resumed from.
    private var resumed: Int64 = 0
    private var awaitsReset = false

    mutating func begin() { (seq, awaitsReset) = (nil, false) }
    mutating func resumes(from seq: Int64) { resumed = seq }

    /// The fault of the next frame; nil for a right one.
    mutating func fault(in frame: JSONValue) -> String? {
        let type = frame["type"]?.string ?? ""
        let number = frame["seq"]?.integer ?? 0
        switch type {
        case "ready":
            guard seq == nil else { return "a second ready" }
            if frame["recovered"]?.bool == true {
                seq = resumed
            } else {
                (seq, awaitsReset) = (number, true)
            }
        case "reset":
            guard awaitsReset else { return "a reset without its ready" }
            (seq, awaitsReset) = (number, false)
        case "new", "update", "read", "seen", "removed":
            guard let seq else { return "\(type) before ready" }
            guard number == seq + 1 else { return "\(type) with seq \(number) behind \(seq)" }
            self.seq = number
        case "gap" where frame["feed"] == nil:
            guard let seq else { return "a gap before ready" }
            guard let from = frame["from"]?.integer, let to = frame["to"]?.integer, from == seq + 1, to >= from else {
                return "a gap \(frame.text) behind \(seq)"
            }
            self.seq = to
        case "beat":
            guard let seq, number == seq else { return "a beat with seq \(number) behind \(seq ?? -1)" }
        default: break
        }
        return nil
    }
}
