/// The samples as calls that publish them.
extension CatalogPage {
    var calls: String? {
        let calls = catalog.eventRules.compactMap { rule in
            SampleEvent(rule, of: catalog) { place, _ in UserID("reader-\(place + 1)").map { [$0] } ?? [] }
        }
        guard !calls.isEmpty else { return nil }
        let blocks = calls.map { "```sh\n\($0.call(socket: "data/belfry.sock"))\n```" }
        return "### Publishing them\n\nWith recipients of your own:\n\n" + blocks.joined(separator: "\n\n")
    }
}
