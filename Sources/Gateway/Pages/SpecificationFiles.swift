import WireProtocol

/// The specifications that a listener serves; see ``EmbeddedFiles``.
struct SpecificationFiles: Sendable {
    /// Those of what apps may call.
    static let apps = SpecificationFiles([
        ("openapi.yaml", "openapi-public.yaml"), ("asyncapi.yaml", "asyncapi.yaml"),
        ("schemas/frames.json", "schemas/frames.json"),
    ])
    /// All.
    static let operators = SpecificationFiles(
        EmbeddedFiles.specifications.map(\.name).filter { $0 != "openapi-public.yaml" }.map { ($0, $0) })

    private let files: [(path: String, file: StaticFile)]

    /// - Parameter names: of the paths, without the slash, and of the files.
    private init(_ names: [(path: String, file: String)]) {
        // Viewers of specifications are pages of other origins.
        let headers = [("Access-Control-Allow-Origin", "*")]
        files = names.compactMap { path, name in
            EmbeddedFiles.specifications.first { $0.name == name }.map { file in
                ("/\(path)", StaticFile(name: name, content: file.content, headers: headers))
            }
        }
    }

    /// - Parameter handler: makes a listener's handler of what answers a request.
    func routes<Handler: Sendable>(
        _ handler: (@escaping @Sendable (HTTPRequestHead) -> HTTPResponse) -> Handler
    ) -> [Route<Handler>] {
        files.map { path, file in
            Route(
                "GET", path, query: .any(), gives: .file,
                handler { head in file.answer(to: head, caching: "no-cache") })
        }
    }
}
