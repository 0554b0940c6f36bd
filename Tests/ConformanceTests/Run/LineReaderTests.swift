import Expectations

@testable import StorageConformance

@Suite("Lines of a child process")
struct LineReaderTests {
    /// What is delivered of a text that comes in pieces of a size.
    private func lines(of text: String, inPiecesOf size: Int) -> [String] {
        var reader = LineReader(marker: "@mark ")
        var found: [String] = []
        let bytes = [UInt8](text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.read(bytes[start..<min(start + size, bytes.count)]) { found.append($0) }
        }
        return found
    }

    @Test("they are found between others, wherever the pieces end", arguments: 1...16)
    func pieces(size: Int) {
        let text = "noise\n@mark säge 1\nx@mark no\n\n@mark \n@markno\n@mark 2\n@mark not yet"
        expect(lines(of: text, inPiecesOf: size), is: ["säge 1", "", "2"])
    }

    @Test("megabytes without an end hide nothing that follows")
    func noise() {
        let text = String(repeating: "x", count: 4 << 20) + "\n@mark here\n"
        expect(lines(of: text, inPiecesOf: 1 << 16), is: ["here"])
    }
}
