import Transport
import WireProtocol

/// One whole request of an operator at the console.
struct ConsoleCall: Sendable {
    let node: Node
    let meter: ConsoleMeter
    let audit: AuditLog
    let figures: ConsoleFigures
    let failures: ConsoleFailures
    let owner: ConsoleOperator
    /// Nil on a Unix socket.
    let address: String?
    /// Of the path.
    let parameters: [String]
    let request: HTTPRequest
    let reply: HTTPReply

    var catalogs: ConsoleCatalogs { ConsoleCatalogs(node: node) }
    var query: HTTPQuery { request.head.query }
}
