import CLinux
import Foundation
import Glibc
import Testing

/// A server in a process of its own, ready when it is made, ended with this object.
final class ChildServer: Sendable {
    let url: String
    let port: Int
    private let process: Process
    private let lines: AsyncStream<String>

    /// nghttpd, which sends back what it is sent and else serves the directory of its certificate.
    ///
    /// - Parameter port: nil for any that is free.
    static func http2(_ files: CertificateFiles, port: Int? = nil) async throws -> ChildServer {
        if let port { return try await http2(files, at: port) }
        // Another test may get a port that is free before the server does.
        for _ in 0..<10 {
            do { return try await http2(files, at: try freePort()) } catch is Unready {}
        }
        throw Unready()
    }

    /// It ended, and did not say that it was ready.
    private struct Unready: Error {}

    private static func http2(_ files: CertificateFiles, at port: Int) async throws -> ChildServer {
        try await ChildServer(
            scheme: "https", ready: "listen 127.0.0.1:\(port)",
            [
                "stdbuf", "-oL", "nghttpd", "--verbose", "--echo-upload", "--address=127.0.0.1",
                "--htdocs=\(files.directory)", "\(port)", files.key, files.certificate,
            ])
    }

    /// A script that says "ready" and its port; with arguments it speaks TLS.
    static func python(_ script: String, _ arguments: String...) async throws -> ChildServer {
        try await ChildServer(
            scheme: arguments.count > 1 ? "https" : "http", ready: "ready ",
            ["python3", "-u", "-c", script] + arguments)
    }

    private init(scheme: String, ready: String, _ command: [String]) async throws {
        let output = Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = output
        lines = Self.lines(of: output.fileHandleForReading)
        try process.run()
        var readyLine: String?
        for await line in lines where line.contains(ready) {
            readyLine = line
            break
        }
        guard let readyLine else { throw Unready() }
        let number = readyLine.split { !$0.isNumber }.last
        port = try #require(number.flatMap { Int($0) })
        url = "\(scheme)://127.0.0.1:\(port)"
    }

    deinit { kill() }

    func kill() {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    }

    /// Returns when the server has said this once more.
    func wait(for text: String) async throws {
        for await line in lines where line == text { return }
        throw Unready()
    }

    /// Ends the server and returns what it said after it was ready.
    @discardableResult
    func stop() async -> [String] {
        kill()
        var rest: [String] = []
        for await line in lines { rest.append(line) }
        return rest
    }

    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        AsyncStream { continuation in
            let reader = Thread {
                var partial: [UInt8] = []
                while case let data = handle.availableData, !data.isEmpty {
                    for byte in data {
                        if byte == UInt8(ascii: "\n") {
                            continuation.yield(String(decoding: partial, as: UTF8.self))
                            partial = []
                        } else {
                            partial.append(byte)
                        }
                    }
                }
                continuation.finish()
            }
            reader.start()
        }
    }

    /// A port that was free a moment ago, for servers that cannot choose one themselves.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        try #require(code)
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// Servers in Python.
enum Scripts {
    /// Accepts, and says nothing.
    static let silent = """
        import socket
        server = socket.create_server(("127.0.0.1", 0))
        print("ready", server.getsockname()[1])
        held = []
        while True:
            held.append(server.accept())
        """

    /// Begins HTTP/2 as it should be, and answers no request.
    static let silentHTTP2 = """
        import socket, ssl, sys, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        context.set_alpn_protocols(["h2"])
        server = socket.create_server(("127.0.0.1", 0))
        print("ready", server.getsockname()[1])

        def serve(connection):
            print("connection")
            connection = context.wrap_socket(connection, server_side=True)
            settings, acknowledgement = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]), bytes([0, 0, 0, 4, 1, 0, 0, 0, 0])
            connection.sendall(settings + acknowledgement)
            while connection.recv(4096):
                pass

        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
        """

    /// Answers with the request it got: its first line, its headers, its body.
    static let unixSocket = """
        import http.server, socketserver, sys

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                lines = [f"{self.command} {self.path}"]
                lines += [f"{name.lower()}: {value}" for name, value in self.headers.items()]
                text = "\\n".join(lines).encode() + b"\\nbody: " + body
                self.send_response(202)
                self.send_header("X-Twice", "  padded ")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *arguments):
                pass

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

        class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
            daemon_threads = True

        server = Server(sys.argv[1], Handler)
        print("ready", 0)
        server.serve_forever()
        """
}
