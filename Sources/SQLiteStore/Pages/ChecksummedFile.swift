import GRDBSQLite

/// A database's file whose pages end with their checksums (``PageChecksum``).
///
/// SQLite itself notices damage of its own structures, and none of a text or a number. A page gets its checksum on its
/// way to the file, and is checked on its way from there. Pages in the log have checksums of SQLite's own.
///
/// SQLite gets pages without their checksums, and so the log has none of ours: another program that copies the log to
/// the database leaves pages without a checksum, and no wrong ones. Such a page is not checked. A program that changes a
/// page leaves the earlier checksum there, and the page is wrong from then on.
///
/// SQLite reaches an open file through a table of functions. This is our own table for that one file: some of its
/// functions look at pages, all others are SQLite's. It lives until SQLite closes the file.
struct ChecksummedFile {
    /// The first member, so that a pointer to it points to the whole.
    private var functions: sqlite3_io_methods
    private let original: UnsafePointer<sqlite3_io_methods>
    /// Whether the file's pages have room for checksums, and so have them: its first page says so.
    private var hasChecksums = false
    /// Whether pages that hold nothing may be read: of those in use, none is all zeros.
    private var readsFreePages = false
    /// Of a page that is written with its checksum: SQLite keeps its own copy as it is.
    private var copy: [UInt64] = []

    private init(over original: UnsafePointer<sqlite3_io_methods>) {
        self.original = original
        functions = original.pointee
        functions.xClose = { file in Self.close(file) }
        functions.xRead = { file, bytes, count, offset in
            let this = Self.of(file)
            let code = this.pointee.original.pointee.xRead(file, bytes, count, offset)
            guard code == SQLITE_OK, let bytes else { return code }
            return this.pointee.judge(UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)), at: offset)
        }
        functions.xWrite = { file, bytes, count, offset in
            guard let bytes else { return SQLITE_IOERR }
            let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            return Self.of(file).pointee.write(page, at: offset, file)
        }
        functions.xDeviceCharacteristics = { file in
            // Otherwise SQLite may read a part of a page (c3ref/c_iocap_atomic.html, SQLITE_IOCAP_SUBPAGE_READ).
            Self.of(file).pointee.original.pointee.xDeviceCharacteristics(file) & ~Self.readsParts
        }
        functions.xFileControl = { file, operation, argument in
            let this = Self.of(file)
            if operation == Self.beginning {
                this.pointee.hasChecksums = true
                return SQLITE_OK
            }
            if operation == Self.copying {
                this.pointee.readsFreePages = true
                return SQLITE_OK
            }
            if operation == Self.asking {
                argument?.assumingMemoryBound(to: Bool.self).pointee = this.pointee.hasChecksums
                return SQLITE_OK
            }
            return this.pointee.original.pointee.xFileControl(file, operation, argument)
        }
    }

    /// Numbers of our own file calls; those up to 100 are SQLite's (c3ref/c_fcntl_begin_atomic_write.html).
    static let beginning: CInt = 1_100
    static let asking: CInt = 1_101
    static let copying: CInt = 1_102
    /// Newer than the oldest header with which we are built.
    private static let readsParts: CInt = 0x0000_8000
    /// As SQLite's headers say by a macro that Swift does not see: SQLITE_IOERR | (32 << 8), a page with a wrong checksum.
    static let wrongChecksum: CInt = SQLITE_IOERR | (32 << 8)

    private typealias File = UnsafeMutablePointer<sqlite3_file>?

    /// Takes over a file that SQLite has just opened.
    static func join(_ file: UnsafeMutablePointer<sqlite3_file>) {
        guard let original = file.pointee.pMethods else { return }
        let this = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        this.initialize(to: Self(over: original))
        file.pointee.pMethods = UnsafeRawPointer(this).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    private static func of(_ file: File) -> UnsafeMutablePointer<Self> {
        guard let functions = file?.pointee.pMethods else { preconditionFailure("SQLite calls it for open files only") }
        return UnsafeMutableRawPointer(mutating: functions).assumingMemoryBound(to: Self.self)
    }

    /// The room for checksums that a database's first page tells; nil for bytes that are no such page
    /// (fileformat2.html §1.3).
    private static func room(in page: UnsafeRawBufferPointer) -> UInt8? {
        guard page.count >= 100, page.prefix(16).elementsEqual("SQLite format 3\0".utf8) else { return nil }
        return page[20]
    }

    /// Whether the bytes are a page, and no part of one.
    private static func isPage(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        bytes.count >= 512 && bytes.count & (bytes.count - 1) == 0 && offset % Int64(bytes.count) == 0
    }

    private mutating func judge(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int64) -> CInt {
        let page = UnsafeRawBufferPointer(bytes)
        if offset == 0, let room = Self.room(in: page) { hasChecksums = room == PageChecksum.bytes }
        guard hasChecksums, Self.isPage(page, at: offset) else { return SQLITE_OK }
        if PageChecksum.told(by: page) == 0 {
            return readsFreePages || page.contains { $0 != 0 } ? SQLITE_OK : Self.wrongChecksum
        }
        let number = offset / Int64(page.count) + 1
        guard PageChecksum.isRight(page, number: number) else { return Self.wrongChecksum }
        bytes.storeBytes(of: 0, toByteOffset: bytes.count - PageChecksum.bytes, as: UInt64.self)
        return SQLITE_OK
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ file: File) -> CInt {
        if offset == 0, let room = Self.room(in: bytes) { hasChecksums = room == PageChecksum.bytes }
        let original = original
        guard hasChecksums, Self.isPage(bytes, at: offset) else {
            return original.pointee.xWrite(file, bytes.baseAddress, CInt(bytes.count), offset)
        }
        if copy.count * 8 != bytes.count { copy = [UInt64](repeating: 0, count: bytes.count / 8) }
        return copy.withUnsafeMutableBytes { page in
            page.copyMemory(from: bytes)
            PageChecksum.write(to: page, number: offset / Int64(bytes.count) + 1)
            return original.pointee.xWrite(file, page.baseAddress, CInt(page.count), offset)
        }
    }

    private static func close(_ file: File) -> CInt {
        let this = of(file)
        let code = this.pointee.original.pointee.xClose(file)
        this.deinitialize(count: 1)
        this.deallocate()
        return code
    }
}
