import Foundation

/// What of a write-ahead log SQLite will pass over in silence when the database is opened: it reads up to the first frame
/// whose checksum is wrong (sqlite.org/fileformat2.html §4.1, §4.2), and drops all commits from there on.
package struct LogSurvey: Sendable, Hashable {
    /// The first frame that is not what was written, counted from 1.
    package let damagedFrame: Int
    /// The commits that it and the frames behind it belong to. One may be what was being written when the power went out.
    package let lostCommits: Int

    private static let headerBytes = 32
    private static let frameHeaderBytes = 24

    /// Nil for a log that is whole, or that nobody can read.
    ///
    /// - Parameter log: reads as many bytes as asked for, fewer at its end.
    init?(reading log: (Int) -> [UInt8]) {
        let header = log(Self.headerBytes)
        guard header.count == Self.headerBytes, Self.word(header, 0) & ~1 == 0x377f_0682 else { return nil }
        var sum = Checksum(isBigEndian: Self.word(header, 0) & 1 == 1)
        sum.add(header[..<24])
        let (pageBytes, salt) = (Int(Self.word(header, 8)), header[16..<24])
        guard sum.isSaid(by: header[24..<32]), (512...65_536).contains(pageBytes) else { return nil }
        var (number, damaged, commits) = (0, nil as Int?, 0)
        while true {
            let frame = log(Self.frameHeaderBytes + pageBytes)
            // Behind what was written lie zeros, and frames that the database has by now.
            guard frame.count == Self.frameHeaderBytes + pageBytes else { break }
            number += 1
            let isOfThisLog = frame[8..<16].elementsEqual(salt)
            if damaged == nil {
                guard isOfThisLog else { break }
                sum.add(frame[..<8])
                sum.add(frame[Self.frameHeaderBytes...])
                if !sum.isSaid(by: frame[16..<24]) { damaged = number }
            }
            if damaged != nil, isOfThisLog, Self.word(frame, 4) != 0 { commits += 1 }
        }
        guard let damaged, commits > 0 else { return nil }
        (damagedFrame, lostCommits) = (damaged, commits)
    }

    /// Of a database's log; to be called before anybody opens that.
    init?(ofDatabase path: String) {
        guard let file = FileHandle(forReadingAtPath: path + "-wal") else { return nil }
        defer { try? file.close() }  // read only: nothing can be lost
        self.init { count in
            // What cannot be read SQLite will not read either, and say so.
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
                // Always written so, whatever the words are that it sums up.
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
