import JSON
import MCP

import enum Gateway.Release

/// One client of `belfry mcp`: carries out what ``ServerMachine`` says, and writes a line for each answer.
actor MCPSession {
    private var machine = ServerMachine(name: "belfry", version: Release.version)
    private var tasks: [JSONValue: Task<Void, Never>] = [:]
    private let tools: MCPTools

    init(tools: MCPTools) { self.tools = tools }

    func receive(_ line: [UInt8]) {
        switch machine.receive(line) {
        case .nothing: break
        case .send(let answer): send(answer)
        case .stop(let id): tasks.removeValue(forKey: id)?.cancel()
        case .run(let id, let call):
            tasks[id] = Task { [tools] in finished(id, with: await tools.run(call)) }
        }
    }

    /// How long a tool may go on once no more lines come.
    private static let grace = Duration.seconds(5)

    /// No more lines come. Tools that run get their answer first, but a wait for people is cut short.
    func end() async {
        let cut = Task {
            try await Task.sleep(for: Self.grace)
            for task in tasks.values { task.cancel() }
        }
        while let task = tasks.values.first { await task.value }
        cut.cancel()
    }

    private func finished(_ id: JSONValue, with result: ToolResult) {
        tasks[id] = nil
        if let answer = machine.finished(id, with: result) { send(answer) }
    }

    private func send(_ answer: JSONValue) { Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
}
