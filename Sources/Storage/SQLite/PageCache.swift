import CSQLite
import GRDBSQLite

/// SQLite's page cache, kept from looking through itself for pages that it cannot have.
///
/// With each commit SQLite has it drop the pages behind the file's end, and it walks all its pages for that if it was
/// asked for one so far behind since the last time. It was: where a page is split, SQLite puts the parts in order by
/// swapping their numbers, by way of one that no page has, the lock-byte page's (fileformat2.html §1.3), a GiB away. So
/// nearly every commit of many notifications walked all of the cache. This one does not count that number.
///
/// Stands between SQLite and its own functions (c3ref/pcache_methods2.html), one for each of their caches. Belongs to
/// the connection whose cache it is, as that does.
struct PageCache {
    typealias Functions = UnsafePointer<sqlite3_pcache_methods2>

    private static let lockByte: UInt32 = 1 << 30

    /// SQLite's own.
    let cache: OpaquePointer
    private let functions: Functions
    private let lockBytePage: UInt32
    /// No page of the cache has a higher number.
    private var highest: UInt32 = 0

    private init(_ cache: OpaquePointer, by functions: Functions, pageBytes: Int32) {
        (self.cache, self.functions) = (cache, functions)
        lockBytePage = Self.lockByte / UInt32(max(pageBytes, 1)) + 1
    }

    /// SQLite's own functions; nil if it does not tell them. Kept for good, and as an address, since pointers are not
    /// for all threads: nothing changes there.
    private static let original: UInt? = {
        let place = UnsafeMutablePointer<sqlite3_pcache_methods2>.allocate(capacity: 1)
        place.initialize(to: sqlite3_pcache_methods2())
        return belfry_sqlite_page_cache(place) == SQLITE_OK && place.pointee.xFetch != nil
            ? UInt(bitPattern: place) : nil
    }()

    /// Has SQLite use it for all connections to come. With connections open already, caches stay as they are.
    static func install() {
        guard let original = original.flatMap(Functions.init(bitPattern:)) else { return }
        var functions = functions(over: original)
        functions.xCreate = { pageBytes, extraBytes, isPurgeable in
            guard let original = PageCache.original.flatMap(Functions.init(bitPattern:)) else { return nil }
            return PageCache.create(
                pageBytes: pageBytes, extraBytes: extraBytes, isPurgeable: isPurgeable, by: original)
        }
        _ = belfry_sqlite_take_page_cache(&functions)
    }

    /// - Parameter original: outlives the cache.
    /// - Returns: what the other functions take; nil without memory.
    static func create(
        pageBytes: Int32, extraBytes: Int32, isPurgeable: Int32, by original: Functions
    ) -> OpaquePointer? {
        guard let cache = original.pointee.xCreate(pageBytes, extraBytes, isPurgeable) else { return nil }
        let place = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        place.initialize(to: Self(cache, by: original, pageBytes: pageBytes))
        return OpaquePointer(place)
    }

    /// All but `xCreate`, which stays `original`'s.
    static func functions(over original: Functions) -> sqlite3_pcache_methods2 {
        var functions = original.pointee
        functions.xCachesize = {
            PageCache.of($0).pointee.functions.pointee.xCachesize(PageCache.of($0).pointee.cache, $1)
        }
        functions.xPagecount = { PageCache.of($0).pointee.functions.pointee.xPagecount(PageCache.of($0).pointee.cache) }
        functions.xFetch = { PageCache.of($0).pointee.fetch($1, creates: $2) }
        functions.xUnpin = { PageCache.of($0).pointee.functions.pointee.xUnpin(PageCache.of($0).pointee.cache, $1, $2) }
        functions.xRekey = { PageCache.of($0).pointee.rekey($1, from: $2, to: $3) }
        functions.xTruncate = { PageCache.of($0).pointee.truncate(from: $1) }
        functions.xShrink = { PageCache.of($0).pointee.functions.pointee.xShrink(PageCache.of($0).pointee.cache) }
        functions.xDestroy = { cache in
            let place = PageCache.of(cache)
            place.pointee.functions.pointee.xDestroy(place.pointee.cache)
            place.deallocate()
        }
        return functions
    }

    private static func of(_ cache: OpaquePointer?) -> UnsafeMutablePointer<Self> {
        guard let cache else { preconditionFailure("SQLite calls it for caches that it has created only") }
        return UnsafeMutablePointer(cache)
    }

    private mutating func fetch(_ number: UInt32, creates: Int32) -> UnsafeMutablePointer<sqlite3_pcache_page>? {
        if creates != 0 { highest = max(highest, number) }
        return functions.pointee.xFetch(cache, number, creates)
    }

    private mutating func rekey(
        _ page: UnsafeMutablePointer<sqlite3_pcache_page>?, from old: UInt32, to new: UInt32
    ) {
        // A page has it for the length of a swap only.
        if new != lockBytePage { highest = max(highest, new) }
        functions.pointee.xRekey(cache, page, old, new)
    }

    private mutating func truncate(from first: UInt32) {
        guard first <= highest else { return }
        highest = max(first, 1) - 1
        functions.pointee.xTruncate(cache, first)
    }
}
