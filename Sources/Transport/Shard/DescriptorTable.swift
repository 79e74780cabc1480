/// An element for each descriptor that a shard has had.
///
/// In pages: descriptors are numbered for the whole process, and a shard with few may have one of the highest.
struct DescriptorTable<Element> {
    private static var elementsPerPage: Int { 256 }

    private let initial: Element
    /// Empty where no descriptor was used.
    private var pages: [[Element]] = []

    init(of initial: Element) { self.initial = initial }

    /// All there is, by descriptor; some were never used.
    var elements: some Sequence<Element> { pages.joined() }

    var pageCount: Int { pages.count }

    /// The elements of one page; none where no descriptor was used.
    func elements(inPage page: Int) -> [Element] { pages.indices.contains(page) ? pages[page] : [] }

    func contains(_ descriptor: Int32) -> Bool {
        let page = Int(descriptor) / Self.elementsPerPage
        return descriptor >= 0 && pages.indices.contains(page) && !pages[page].isEmpty
    }

    /// To be called before the first use of a descriptor.
    mutating func makeRoom(for descriptor: Int32) {
        let page = Int(descriptor) / Self.elementsPerPage
        if page >= pages.count { pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count)) }
        if pages[page].isEmpty { pages[page] = Array(repeating: initial, count: Self.elementsPerPage) }
    }

    /// Calls `body` with where a descriptor's element lies; not if there is no room for one.
    func withPlace(of descriptor: Int32, _ body: (UnsafePointer<Element>) -> Void) {
        guard contains(descriptor) else { return }
        pages[Int(descriptor) / Self.elementsPerPage].withUnsafeBufferPointer {
            if let start = $0.baseAddress { body(start + Int(descriptor) % Self.elementsPerPage) }
        }
    }

    /// The element of a descriptor for which there is room.
    subscript(descriptor: Int32) -> Element {
        // In place: a copy would count the references of what the element holds.
        _read { yield pages[Int(descriptor) / Self.elementsPerPage][Int(descriptor) % Self.elementsPerPage] }
        _modify { yield &pages[Int(descriptor) / Self.elementsPerPage][Int(descriptor) % Self.elementsPerPage] }
    }
}
