import Foundation

/// The part of a write-ahead log that SQLite skips without a word when it opens the database. SQLite reads up to the
/// first frame with a wrong checksum (sqlite.org/fileformat2.html §4.1, §4.2), and drops all commits from there on.
package struct LogSurvey: Sendable, Hashable {
    /// The first damaged frame, counted from 1; 0 is the log's header.
    package let damagedFrame: Int
    /// How many commits it and the frames behind it belong to, at least. One of them may have been under way when the
    /// power failed.
    package let lostCommits: Int

    /// Whether this is how a log looks whose last commit was being written when the power failed. Nobody was told of that
    /// commit. Commits follow each other, each synced before the next one: so it can only be the last.
    package var mayBeOfPowerFailure: Bool { damagedFrame > 0 && lostCommits == 1 }

    private static let headerBytes = 32
    private static let frameHeaderBytes = 24
    /// Our stores' page size, where the header does not tell it.
    private static let pageBytes = 4_096

    /// Nil for a log that is whole or unreadable. A log that was cut off behind one of its frames, or is gone, looks
    /// like a shorter one.
    ///
    /// - Parameter log: reads as many bytes as asked for; fewer at its end.
    init?(reading log: (Int) -> [UInt8]) {
        let header = log(Self.headerBytes)
        let survey =
            if let sum = Self.checksum(of: header) {
                Self.frames(behind: header, summingUp: sum, log)
            } else {
                Self.whatIsLost(behind: header, log)
            }
        guard let survey else { return nil }
        self = survey
    }

    private init(damagedFrame: Int, lostCommits: Int) {
        (self.damagedFrame, self.lostCommits) = (damagedFrame, lostCommits)
    }

    private static func frames(
        behind header: [UInt8], summingUp headerSum: Checksum, _ log: (Int) -> [UInt8]
    ) -> LogSurvey? {
        var sum = headerSum
        let (frameBytes, salt) = (frameHeaderBytes + Int(word(header, 8)), header[16..<24])
        var (number, damaged, commits) = (0, nil as Int?, 0)
        /// The first frame of those that are not of this log.
        var foreign: Int?
        /// Whether it is unknown if a commit ends with the damaged frame: its header is gone, or its page is cut off.
        var isHeadless = false
        while true {
            let frame = log(frameBytes)
            guard frame.count >= frameHeaderBytes else { break }
            number += 1
            let isOfThisLog = frame[8..<16].elementsEqual(salt)
            if frame.count < frameBytes {
                // The missing part may have been a commit, and so may frames behind it.
                if isOfThisLog, damaged == nil { (damaged, isHeadless) = (foreign ?? number, true) }
                break
            }
            if damaged == nil {
                sum.add(frame[..<8])
                sum.add(frame[frameHeaderBytes...])
                let isNext = sum.isSaid(by: frame[16..<24])
                if isOfThisLog != isNext {
                    damaged = foreign ?? number
                } else if !isOfThisLog {
                    // Behind the written frames lie zeros, and frames that the database has by now. But a page without a
                    // header has lost it, and where frames of this log follow, these have lost theirs.
                    isHeadless = !frame[..<frameHeaderBytes].contains { $0 != 0 } && frame.contains { $0 != 0 }
                    if isHeadless { damaged = foreign ?? number } else { foreign = foreign ?? number }
                }
            }
            if damaged != nil, isOfThisLog || number == damaged, word(frame, 4) != 0 { commits += 1 }
        }
        // The commit behind a lost header may be the one that it belonged to: counting both would be a false alarm.
        commits = max(commits, isHeadless ? 1 : 0)
        return damaged.flatMap { commits > 0 ? LogSurvey(damagedFrame: $0, lostCommits: commits) : nil }
    }

    /// The loss for a damaged header, which makes SQLite take the log for empty. Nil if nothing was ever written to it.
    private static func whatIsLost(behind header: [UInt8], _ log: (Int) -> [UInt8]) -> LogSurvey? {
        var (isWritten, commits) = (header.contains { $0 != 0 }, 0)
        var salt: ArraySlice<UInt8>?
        let frameBytes = frameHeaderBytes + pageBytes
        var frame = log(frameBytes)
        while !frame.isEmpty {
            if frame.contains(where: { $0 != 0 }) {
                isWritten = true
                let own = frame.dropFirst(8).prefix(8)
                salt = salt ?? own
                if frame.count == frameBytes, salt == own, word(frame, 4) != 0 { commits += 1 }
            }
            frame = log(frameBytes)
        }
        return isWritten ? LogSurvey(damagedFrame: 0, lostCommits: max(1, commits)) : nil
    }

    /// The checksum that the frames continue; nil for a header that SQLite refuses.
    private static func checksum(of header: [UInt8]) -> Checksum? {
        guard header.count == headerBytes, word(header, 0) & ~1 == 0x377f_0682 else { return nil }
        var sum = Checksum(isBigEndian: word(header, 0) & 1 == 1)
        sum.add(header[..<24])
        return sum.isSaid(by: header[24..<32]) && (512...65_536).contains(word(header, 8)) ? sum : nil
    }

    /// Reads a database's log; to be called before the database is opened.
    init?(ofDatabase path: String) {
        guard let file = FileHandle(forReadingAtPath: path + "-wal") else { return nil }
        defer { try? file.close() }  // read only: nothing can be lost
        self.init { count in
            // SQLite cannot read this part either, and reports that.
            (try? file.read(upToCount: count)).map { [UInt8]($0) } ?? []
        }
    }

    private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The log's running checksum (fileformat2.html §4.2).
    private struct Checksum {
        let isBigEndian: Bool
        private var (first, second): (UInt32, UInt32) = (0, 0)

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        /// - Parameter bytes: a multiple of eight.
        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for place in stride(from: 0, to: bytes.count - 7, by: 8) {
                    first &+= word(bytes, place) &+ second
                    second &+= word(bytes, place + 4) &+ first
                }
            }
        }

        func isSaid(by bytes: ArraySlice<UInt8>) -> Bool {
            bytes.withUnsafeBytes { bytes in
                // Checksums are always big-endian, whatever the byte order of the summed words.
                let (one, other) = (
                    bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self),
                    bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                )
                return UInt32(bigEndian: one) == first && UInt32(bigEndian: other) == second
            }
        }

        private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }
    }
}
