import Foundation
import Testing

/// The snippets of the client's pages, as whoever copies them compiles them.
@Suite(.serialized)
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    @Test func `every snippet of the client's pages compiles without a warning`() throws {
        let folder = try Compiler.Folder()
        try folder.write(Self.swiftUI, to: "SwiftUI.swift")
        try folder.compile(["SwiftUI.swift"], module: "SwiftUI")
        // With SwiftUI's stand-in beside it, the client's own files for SwiftUI are compiled, too.
        try folder.compile(Self.clientFiles(), module: "BelfryClient")
        var count = 0
        for page in ["docs/clients-swift.md", "Sources/BelfryClient/BelfryClient.docc/GettingStarted.md"] {
            let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
            for snippet in text.matches(of: /(?s)```swift\n(.*?)```/) {
                count += 1
                // Foundation's network is a module of its own on Linux.
                let network = "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n"
                try folder.write(network + snippet.output.1, to: "snippet\(count).swift")
                try folder.compile(["snippet\(count).swift"], module: "Snippet\(count)")
            }
        }
        #expect(count >= 9)
    }

    @Test func `the example for SwiftUI has fewer than thirty lines`() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/clients-swift.md"), encoding: .utf8)
        let snippets = page.matches(of: /(?s)```swift\n(.*?)```/).map { String($0.output.1) }
        let example = try #require(snippets.first { $0.contains("import SwiftUI") })
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count < 30)
    }

    private static func clientFiles() throws -> [String] {
        let folder = root.appending(path: "Sources/BelfryClient")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try #require(files).compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".swift") }
    }

    /// As much of SwiftUI as the example needs: its names and shapes, where there is no SwiftUI. Only Apple's own can
    /// tell what the example shows.
    private static let swiftUI = """
        @MainActor public protocol View {
            associatedtype Body: View
            @ViewBuilder var body: Body { get }
        }
        @MainActor public struct Shown: View { public var body: Never { fatalError() } }
        extension Never: View { public var body: Never { fatalError() } }
        @resultBuilder public enum ViewBuilder {
            public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
        }
        @MainActor @propertyWrapper public struct State<Value> {
            public init(wrappedValue: Value) {}
            public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
        }
        @MainActor @propertyWrapper public struct Environment<Value> {
            public init(_ path: KeyPath<EnvironmentValues, Value>) {}
            public var wrappedValue: Value { fatalError() }
        }
        public struct EnvironmentValues { public var scenePhase: ScenePhase { .active } }
        public enum ScenePhase: Sendable, Hashable { case background, inactive, active }
        @MainActor public func List<Data: RandomAccessCollection, Row: View>(
            _ data: Data, @ViewBuilder row: (Data.Element) -> Row
        ) -> Shown where Data.Element: Identifiable { Shown() }
        @MainActor public func Section<Row: View>(_ title: String, @ViewBuilder content: () -> Row) -> Shown { Shown() }
        @MainActor public func ForEach<Data: RandomAccessCollection, Row: View>(
            _ data: Data, @ViewBuilder row: @escaping (Data.Element) -> Row
        ) -> Shown where Data.Element: Identifiable { Shown() }
        @MainActor public struct Text: View {
            public init(_ text: String) {}
            public func bold(_ isBold: Bool) -> Text { self }
            public var body: Never { fatalError() }
        }
        extension View {
            public func onTapGesture(_ action: @escaping () -> Void) -> some View { self }
            public func navigationTitle(_ title: String) -> some View { self }
            public func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View { self }
            public func task<ID: Equatable>(
                id: ID, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
            ) -> some View { self }
            public func refreshable(_ action: @escaping @Sendable () async -> Void) -> some View { self }
        }
        """
}

/// The toolchain's compiler, in a folder of its own.
private enum Compiler {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    final class Folder {
        private let url = FileManager.default.temporaryDirectory.appending(path: "belfry-docs-" + UUID().uuidString)

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        // The system clears a folder that cannot be removed.
        deinit { try? FileManager.default.removeItem(at: url) }

        func write(_ text: String, to name: String) throws {
            try text.write(to: url.appending(path: name), atomically: true, encoding: .utf8)
        }

        /// - Throws: what the compiler says, if it says anything.
        func compile(_ files: [String], module: String) throws {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.currentDirectoryURL = url
            process.arguments = ["swiftc", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors"]
            process.arguments? += [
                "-emit-module", "-module-name", module, "-emit-module-path", "\(module).swiftmodule",
            ]
            // An app's files are in another package.
            if module == "BelfryClient" { process.arguments? += ["-package-name", "belfry"] }
            process.arguments? += ["-I", "."] + files
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let said = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw Failure(description: "\(module): " + String(decoding: said, as: UTF8.self))
            }
        }
    }
}
