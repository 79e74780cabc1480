import CSQLite
import GRDBSQLite
import Testing

@testable import Storage

@Suite struct PageCacheTests {
    /// The first pages that a cache was told to drop, each with those behind it.
    private final class Drops {
        var firsts: [UInt32] = []

        static func of(_ cache: OpaquePointer?) -> Unmanaged<Drops> {
            guard let cache else { preconditionFailure("no cache") }
            return Unmanaged.fromOpaque(UnsafeRawPointer(cache))
        }
    }

    /// A ``PageCache`` over functions that hold no pages.
    private struct Fixture: ~Copyable {
        private let original: UnsafeMutablePointer<sqlite3_pcache_methods2>
        private let functions: sqlite3_pcache_methods2
        private let cache: OpaquePointer

        init(pageBytes: Int32 = 4_096) throws {
            original = .allocate(capacity: 1)
            original.initialize(to: sqlite3_pcache_methods2())
            original.pointee.xCreate = { _, _, _ in OpaquePointer(Unmanaged.passRetained(Drops()).toOpaque()) }
            original.pointee.xFetch = { _, _, _ in nil }
            original.pointee.xRekey = { _, _, _, _ in }
            original.pointee.xTruncate = { Drops.of($0).takeUnretainedValue().firsts.append($1) }
            original.pointee.xDestroy = { Drops.of($0).release() }
            functions = PageCache.functions(over: UnsafePointer(original))
            let cache = PageCache.create(
                pageBytes: pageBytes, extraBytes: 8, isPurgeable: 1, by: UnsafePointer(original))
            self.cache = try #require(cache)
        }

        deinit {
            functions.xDestroy(cache)
            original.deallocate()
        }

        /// From where on the functions below were told to drop pages.
        var drops: [UInt32] {
            Drops.of(UnsafeMutablePointer<PageCache>(cache).pointee.cache).takeUnretainedValue().firsts
        }

        func ask(for pages: UInt32...) {
            for page in pages { _ = functions.xFetch(cache, page, 1) }
        }

        func look(for page: UInt32) { _ = functions.xFetch(cache, page, 0) }

        func renumber(_ changes: (from: UInt32, to: UInt32)...) {
            for change in changes { functions.xRekey(cache, nil, change.from, change.to) }
        }

        func drop(from first: UInt32) { functions.xTruncate(cache, first) }
    }

    @Test func `pages behind all that were asked for are not looked for`() throws {
        let cache = try Fixture()
        cache.ask(for: 3, 7, 5)
        cache.drop(from: 8)
        #expect(cache.drops == [])
        cache.drop(from: 7)
        #expect(cache.drops == [7])
    }

    @Test func `what was dropped is looked for again only once it was asked for again`() throws {
        let cache = try Fixture()
        cache.ask(for: 9)
        cache.drop(from: 4)
        cache.drop(from: 4)
        #expect(cache.drops == [4])
        cache.ask(for: 4)
        cache.drop(from: 4)
        #expect(cache.drops == [4, 4])
    }

    @Test func `a page that is only looked up is none that the cache holds`() throws {
        let cache = try Fixture()
        cache.ask(for: 2)
        cache.look(for: 9)
        cache.drop(from: 9)
        #expect(cache.drops == [])
    }

    @Test func `a page with a new number is found by it`() throws {
        let cache = try Fixture()
        cache.ask(for: 3)
        cache.renumber((from: 3, to: 9))
        cache.drop(from: 9)
        #expect(cache.drops == [9])
    }

    @Test(arguments: [Int32(4_096), 1_024, 65_536])
    func `pages whose numbers are swapped by way of the lock byte's leave none so far behind`(pageBytes: Int32) throws {
        let cache = try Fixture(pageBytes: pageBytes)
        let lockBytePage = UInt32((1 << 30) / Int(pageBytes)) + 1
        cache.ask(for: 5, 7)
        cache.renumber((from: 7, to: lockBytePage), (from: 5, to: 7), (from: lockBytePage, to: 5))
        cache.drop(from: 8)
        #expect(cache.drops == [])
        cache.drop(from: 6)
        #expect(cache.drops == [6])
    }

    @Test func `a page that is asked for by the lock byte's number is looked for`() throws {
        let cache = try Fixture()
        cache.ask(for: 262_145)
        cache.drop(from: 9)
        #expect(cache.drops == [9])
    }

    @Test func `all pages are dropped where a whole cache is`() throws {
        let cache = try Fixture()
        cache.ask(for: 1)
        cache.drop(from: 0)
        #expect(cache.drops == [0])
    }
}
