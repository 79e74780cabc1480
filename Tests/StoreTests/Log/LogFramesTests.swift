import GRDB
import Testing

@testable import SQLiteStore
@testable import Store

struct LogFramesTests {
    private static let ok = ResultCode.SQLITE_OK.rawValue
    private static let full = ResultCode.SQLITE_FULL.rawValue

    /// A file that notes how it is written to.
    private final class File {
        var bytes: [UInt8] = []
        var writes: [Int64] = []
        var longest = 0
        var code = LogFramesTests.ok

        func write(_ piece: UnsafeRawBufferPointer, _ offset: Int64) -> CInt {
            guard code == LogFramesTests.ok else { return code }
            writes.append(offset)
            longest = max(longest, piece.count)
            let end = Int(offset) + piece.count
            if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(Int(offset)..<end, with: piece)
            return code
        }
    }

    private static let pageBytes = 4_096
    private static let frameBytes = 24 + pageBytes

    private static func header(endsCommit: Bool) -> [UInt8] {
        [0, 0, 0, 7] + (endsCommit ? [0, 0, 0, 9] : [0, 0, 0, 0]) + [UInt8](repeating: 3, count: 16)
    }

    /// Gives the frame's two parts, as SQLite does.
    private static func add(
        frame number: Int, endsCommit: Bool, to frames: inout LogFrames, _ file: File, from start: Int = 32
    ) -> [CInt] {
        let offset = Int64(start + number * frameBytes)
        let page = [UInt8](repeating: UInt8(truncatingIfNeeded: number + 1), count: pageBytes)
        return [
            header(endsCommit: endsCommit).withUnsafeBytes { frames.add($0, at: offset, file.write) },
            page.withUnsafeBytes { frames.add($0, at: offset + 24, file.write) },
        ]
    }

    /// Frames behind the log's own header.
    private static func begun(_ file: File) -> LogFrames {
        var frames = LogFrames()
        _ = [UInt8](repeating: 1, count: 32).withUnsafeBytes { frames.add($0, at: 0, file.write) }
        return frames
    }

    @Test func `a commit's frames reach the file in one piece, with its last one`() {
        let file = File()
        var frames = Self.begun(file)
        for number in 0..<5 {
            #expect(Self.add(frame: number, endsCommit: number == 4, to: &frames, file) == [Self.ok, Self.ok])
            #expect(file.writes == (number < 4 ? [0] : [0, 32]))
        }
        #expect(file.bytes.count == 32 + 5 * Self.frameBytes)
        for number in 0..<5 {
            let frame = file.bytes[(32 + number * Self.frameBytes)...].prefix(Self.frameBytes)
            #expect(Array(frame.prefix(24)) == Self.header(endsCommit: number == 4))
            #expect(frame.dropFirst(24).allSatisfy { $0 == UInt8(number + 1) })
        }
    }

    @Test func `a commit of one frame waits for nothing`() {
        let file = File()
        var frames = Self.begun(file)
        _ = Self.add(frame: 0, endsCommit: true, to: &frames, file)
        _ = Self.add(frame: 1, endsCommit: true, to: &frames, file)
        #expect(file.writes == [0, 32, Int64(32 + Self.frameBytes)])
    }

    @Test func `a long commit holds no more than some frames in memory`() {
        let file = File()
        var frames = Self.begun(file)
        for number in 0..<200 { _ = Self.add(frame: number, endsCommit: number == 199, to: &frames, file) }
        #expect(file.bytes.count == 32 + 200 * Self.frameBytes)
        #expect((7...9).contains(file.writes.count))
        // More than SQLite's function for Unix takes.
        #expect(file.longest < 128 << 10)
    }

    @Test func `a write elsewhere comes behind waiting frames, and frames anew are none of the old ones`() {
        let file = File()
        var frames = Self.begun(file)
        for number in 0..<3 { _ = Self.add(frame: number, endsCommit: false, to: &frames, file) }
        // The transaction was rolled back: the next one's frames take the same places.
        for number in 0..<2 { _ = Self.add(frame: number, endsCommit: number == 1, to: &frames, file) }
        #expect(file.writes.first == 0 && file.writes[1] == 32)
        #expect(Array(file.bytes[(32 + Self.frameBytes)...].prefix(24)) == Self.header(endsCommit: true))
        let second = file.bytes[(32 + Self.frameBytes + 24)...].prefix(Self.pageBytes)
        #expect(second.allSatisfy { $0 == 2 })
    }

    @Test func `a reader of the file finds earlier frames`() {
        let file = File()
        var frames = Self.begun(file)
        _ = Self.add(frame: 0, endsCommit: false, to: &frames, file)
        #expect(frames.flush(file.write) == Self.ok)
        #expect(file.bytes.count == 32 + Self.frameBytes)
        #expect(frames.flush(file.write) == Self.ok)
        #expect(file.writes == [0, 32])
    }

    @Test func `an undone write never reaches the file`() {
        let file = File()
        var frames = Self.begun(file)
        for number in 0..<3 { _ = Self.add(frame: number, endsCommit: false, to: &frames, file) }
        frames.forget()
        #expect(frames.flush(file.write) == Self.ok)
        #expect(file.writes == [0])
        #expect(Self.add(frame: 0, endsCommit: true, to: &frames, file) == [Self.ok, Self.ok])
        #expect(file.bytes.count == 32 + Self.frameBytes)
    }

    @Test func `an error is told once, and what it was about is not written later`() {
        let file = File()
        var frames = Self.begun(file)
        _ = Self.add(frame: 0, endsCommit: false, to: &frames, file)
        file.code = Self.full
        #expect(Self.add(frame: 1, endsCommit: true, to: &frames, file) == [Self.ok, Self.full])
        file.code = Self.ok
        #expect(frames.flush(file.write) == Self.ok)
        #expect(file.bytes.count == 32)
        #expect(Self.add(frame: 0, endsCommit: true, to: &frames, file) == [Self.ok, Self.ok])
        #expect(file.bytes.count == 32 + Self.frameBytes)
    }
}
