import Expectations
import Foundation

@testable import StorageBenchmark

@Suite("The marked block of a README")
struct MarkedBlockTests {
    static let begin = "<!-- storagebench:begin -->"
    static let end = "<!-- storagebench:end -->"

    func replaced(_ text: String, _ block: String = "new\n") throws -> String {
        String(decoding: try MarkedBlock.replaced(in: Array(text.utf8), with: block), as: UTF8.self)
    }

    func failure(_ text: String) -> String? {
        #expect(throws: MarkedBlock.Failure.self) { try replaced(text) }?.message
    }

    @Test func onlyTheBlockChanges() throws {
        let text = "# A\n\n\(Self.begin)\nold\nlines\n\(Self.end)\n\nrest"
        expect(try replaced(text) == "# A\n\n\(Self.begin)\nnew\n\(Self.end)\n\nrest")
        expect(try replaced(replaced(text)) == replaced(text))
    }

    @Test func emptyBlocksAndLastLinesWork() throws {
        expect(try replaced("\(Self.begin)\n\(Self.end)") == "\(Self.begin)\nnew\n\(Self.end)")
        expect(
            try replaced("\(Self.begin)\n\(Self.end)\n", "no newline")
                == "\(Self.begin)\nno newline\n\(Self.end)\n")
    }

    @Test func lineEndsAndIndentsStay() throws {
        expect(
            try replaced("x\r\n \(Self.begin) \r\nold\r\n\t\(Self.end)\r\ny", "a\nb\n")
                == "x\r\n \(Self.begin) \r\na\r\nb\r\n\t\(Self.end)\r\ny")
    }

    @Test func bytesThatAreNotTextStay() throws {
        let file: [UInt8] = [0xFF, 0xFE, 10] + Array("\(Self.begin)\n\(Self.end)\n".utf8) + [0x80]
        let after = try MarkedBlock.replaced(in: file, with: "n\n")
        expect(after.prefix(3) == [0xFF, 0xFE, 10] && after.last == 0x80)
    }

    @Test func marksWithinALineAreNoMarks() throws {
        let text = "use `\(Self.begin)` and `\(Self.end)`\n\(Self.begin)\nold\n\(Self.end)\n"
        expect(try replaced(text).hasSuffix("\(Self.begin)\nnew\n\(Self.end)\n"))
    }

    @Test func theArticleHasABlock() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let article = try Data(
            contentsOf: root.appendingPathComponent(
                "Sources/BrowserSessions/BrowserSessions.docc/ChoosingABackend.md"))
        let after = try MarkedBlock.replaced(in: [UInt8](article), with: "tables\n")
        expect(String(decoding: after, as: UTF8.self).contains("begin -->\ntables\n<!--"))
    }

    @Test func missingMarksAreRefused() {
        expect(failure("")?.hasPrefix("there is no line '\(Self.begin)'; add both"), is: true)
        expect(failure("\(Self.begin)\n")?.hasPrefix("there is no line '\(Self.end)'"), is: true)
        expect(failure("\(Self.end)\n")?.hasPrefix("there is no line '\(Self.begin)'"), is: true)
    }

    @Test func disorderAndDoublesAreRefused() {
        expect(failure("\(Self.end)\n\(Self.begin)\n")?.contains("put them in order"), is: true)
        let twice = "\(Self.begin)\n\(Self.end)\n\(Self.begin)\n\(Self.end)\n"
        expect(failure(twice)?.contains("there are 2 lines"), is: true)
    }
}
