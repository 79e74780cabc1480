import Foundation

/// A call of the server's HTTP interface, relative to its base address.
package struct RESTCall: Equatable {
    package var method = "GET"
    /// With the query.
    package let path: String
    package var body: JSONValue?
    /// `If-None-Match`.
    package var etag: String?

    /// Escapes one part of a path, or a value of a query.
    static func escape(_ text: String) -> String {
        // Letters, digits and `-._~` (RFC 3986 §2.3). Nil only for text that is not Unicode, which Swift cannot have.
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

/// The app's token, and calls that need it.
///
/// A pure machine.
struct Requests<Purpose> {
    enum Effect {
        /// Ask the app for a token, and call ``given(_:)`` or ``failed(_:)``.
        case ask(TokenReason)
        /// Call the server, and call ``answered(_:_:)`` with this number.
        case send(Int, RESTCall, token: String)
        case done(Purpose, Result<HTTPAnswer, BelfryError>)
    }

    private struct Request {
        let call: RESTCall
        let purpose: Purpose
        var hasNewToken = false
    }

    private(set) var token: String?
    private var isAsking = false
    private var numbers = 0
    private var requests: [Int: Request] = [:]
    /// Requests that wait for a token, in order.
    private var waiting: [Int] = []

    /// Asks for another token; requests that come meanwhile get the same one.
    mutating func ask(_ reason: TokenReason) -> [Effect] {
        if isAsking { return [] }
        isAsking = true
        return [.ask(reason)]
    }

    mutating func begin(_ call: RESTCall, for purpose: Purpose) -> [Effect] {
        numbers += 1
        requests[numbers] = Request(call: call, purpose: purpose)
        return send(numbers, why: token == nil ? .first : nil)
    }

    private mutating func send(_ number: Int, why: TokenReason?) -> [Effect] {
        guard let request = requests[number] else { return [] }
        if why == nil, let token { return [.send(number, request.call, token: token)] }
        waiting.append(number)
        return ask(why ?? .first)
    }

    mutating func given(_ token: String) -> [Effect] {
        (self.token, isAsking) = (token, false)
        defer { waiting = [] }
        return waiting.flatMap { send($0, why: nil) }
    }

    mutating func failed(_ error: BelfryError) -> [Effect] {
        isAsking = false
        defer { waiting = [] }
        return waiting.compactMap { finish($0, .failure(error)) }
    }

    /// - Parameter result: the server's answer, or `network` without one.
    mutating func answered(_ number: Int, _ result: Result<HTTPAnswer, BelfryError>) -> [Effect] {
        guard let request = requests[number] else { return [] }
        if case .success(let answer) = result, answer.status == 401, !request.hasNewToken {
            requests[number]?.hasNewToken = true
            return send(number, why: .expired)
        }
        return [finish(number, result.flatMap(Self.judge))].compactMap(\.self)
    }

    /// The client stops: all requests fail.
    mutating func stop(_ error: BelfryError) -> [Effect] {
        waiting = []
        return requests.keys.sorted().compactMap { finish($0, .failure(error)) }
    }

    private mutating func finish(_ number: Int, _ result: Result<HTTPAnswer, BelfryError>) -> Effect? {
        requests.removeValue(forKey: number).map { .done($0.purpose, result) }
    }

    private static func judge(_ answer: HTTPAnswer) -> Result<HTTPAnswer, BelfryError> {
        if (200..<300).contains(answer.status) || answer.status == 304 { return .success(answer) }
        // A body that is no problem of a gateway, such as a proxy's page, is told by its status.
        guard let problem = try? JSONValue(parsing: answer.body), let code = problem["code"]?.string else {
            return .failure(.network("status \(answer.status)"))
        }
        let isTemporary = answer.status == 429 || answer.status >= 500
        return .failure(BelfryError(code: code, message: problem["detail"]?.string, isTemporary: isTemporary))
    }
}
