import Foundation
import Testing

@testable import Gateway

struct TextFileTests {
    @Test func `a mark of the byte order is no part of a text`() throws {
        #expect(try TextFile.text([0xEF, 0xBB, 0xBF] + Array("listen: x".utf8)) == "listen: x")
        #expect(try TextFile.text([0xEF, 0xBB, 0xBF]) == "")
        #expect(try TextFile.text([]) == "")
    }

    private static let wrong: [(text: String, byte: UInt8, line: Int)] = [
        ("a: caf", 0xE9, 1), ("a: 1\nb: ", 0xE9, 2), ("a: 1\n\n\n", 0xC3, 4),
    ]

    @Test(arguments: wrong)
    func `bytes that are no UTF-8 are refused with their line`(_ wrong: (text: String, byte: UInt8, line: Int)) {
        let bytes = Array(wrong.text.utf8) + [wrong.byte]
        let error = #expect(throws: TextFile.NotUTF8.self) { try TextFile.text(bytes) }
        #expect(error?.line == wrong.line)
    }

    @Test func `a file in another encoding is named, be it a catalog or the settings`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/latin.yaml"
        try Data(Array("app: rooms\n# caf".utf8) + [0xE9]).write(to: URL(filePath: path))
        #expect(throws: FileMistakes.self) { try LoadedCatalogs.read([path]) }
        var reader = SettingsReader()
        reader.read(file: path)
        #expect(reader.problems.map(\.place) == [SettingPlace(path, line: 2)])
        #expect(reader.problems.first?.reason.contains("UTF-8") == true)
    }
}
