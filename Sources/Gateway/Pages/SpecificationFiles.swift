import WireProtocol

/// The specifications that a listener serves; see ``EmbeddedFiles``.
struct SpecificationFiles: Sendable {
    /// Those of what apps may call.
    /// Viewers of specifications are pages of other origins.
    static let apps = SpecificationFiles(
        [
            ("openapi.yaml", "openapi-public.yaml"), ("asyncapi.yaml", "asyncapi.yaml"),
            ("schemas/frames.json", "schemas/frames.json"),
        ], headers: [("Access-Control-Allow-Origin", "*")])
    /// All. The operators' listener has nothing for pages.
    static let operators = SpecificationFiles(
        EmbeddedFiles.specifications.map(\.name).filter { $0 != "openapi-public.yaml" }.map { ($0, $0) }, headers: [])

    private let files: [(path: String, file: StaticFile)]

    /// - Parameters:
    ///   - names: of the paths, without the slash, and of the files.
    ///   - headers: as in ``StaticFile``.
    private init(_ names: [(path: String, file: String)], headers: [(name: String, value: String)]) {
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
