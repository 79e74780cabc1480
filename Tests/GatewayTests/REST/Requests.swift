import Testing
import WireProtocol

/// A request's head as the parser would make it.
func head(_ method: String, _ target: String) throws -> HTTPRequestHead {
    try HTTPRequestHead(method: method, target: target, headers: ["Host": "localhost"])
}

/// The problem that a call throws; nil if it throws none.
func problem(_ body: () throws(Problem) -> Void) -> Problem? {
    do throws(Problem) {
        try body()
        return nil
    } catch {
        return error
    }
}
