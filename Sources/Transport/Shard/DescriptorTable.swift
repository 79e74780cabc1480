/// An element for each descriptor that a shard has had.
///
/// In pages, because descriptors are numbered for the whole process: a shard with few may have a very high one.
struct DescriptorTable<Element> {
    private static var elementsPerPage: Int { 256 }

    private let initial: Element
    /// A page is empty if none of its descriptors was used.
    private var pages: [[Element]] = []

    init(of initial: Element) { self.initial = initial }

    /// All elements by descriptor; some were never used.
    var elements: some Sequence<Element> { pages.joined() }

    var pageCount: Int { pages.count }

    /// The elements of one page; empty if none of its descriptors was used.
    func elements(inPage page: Int) -> [Element] { pages.indices.contains(page) ? pages[page] : [] }

    func contains(_ descriptor: Int32) -> Bool {
        let page = Int(descriptor) / Self.elementsPerPage
        return descriptor >= 0 && pages.indices.contains(page) && !pages[page].isEmpty
    }

    /// Called before the first use of a descriptor.
    mutating func makeRoom(for descriptor: Int32) {
        let page = Int(descriptor) / Self.elementsPerPage
        if page >= pages.count { pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count)) }
        if pages[page].isEmpty { pages[page] = Array(repeating: initial, count: Self.elementsPerPage) }
    }

    /// The element of a descriptor; ``makeRoom(for:)`` must have been called for it.
    subscript(descriptor: Int32) -> Element {
        // Used in place: a copy would count the references inside the element.
        _read { yield pages[Int(descriptor) / Self.elementsPerPage][Int(descriptor) % Self.elementsPerPage] }
        _modify { yield &pages[Int(descriptor) / Self.elementsPerPage][Int(descriptor) % Self.elementsPerPage] }
    }
}
