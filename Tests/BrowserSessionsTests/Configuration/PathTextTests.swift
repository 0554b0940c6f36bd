import BrowserSessions
import Expectations

/// Names as text, whatever their bytes are.
struct PathTextTests {
    static let names: [[UInt8]] = [
        Array("profile".utf8), Array("Größe 見出し 👩‍👩‍👧".utf8), [0x63, 0x61, 0x66, 0xE9], [0xC3],
        [0xED, 0xA0, 0x80], [0xF5, 0x80, 0xFF], [0xC0, 0xAF],
        Array("caf\u{E9}".utf8), Array("cafe\u{301}".utf8),
        // A Kelvin sign and a K, Korean in parts and whole.
        Array("LOC\u{212A}".utf8), Array("LOCK".utf8), Array("\u{1100}\u{1161}".utf8),
        Array("\u{AC00}".utf8),
        // The characters themselves.
        Array("caf\u{10FEE9}".utf8), [],
    ]

    @Test("The bytes come back", arguments: names)
    func whole(bytes: [UInt8]) {
        let text = PathText.text(bytes)
        expect(PathText.bytes(text), is: bytes)
        expect(PathText.bytes("/a/\(text)/b"), is: Array("/a/".utf8) + bytes + Array("/b".utf8))
        let found = PathText.withCString(text) { path in
            (0..<bytes.count).map { UInt8(bitPattern: path[$0]) } + [UInt8(path[bytes.count])]
        }
        expect(found, is: bytes + [0])
    }

    @Test("Texts of two names are never equal")
    func distinct() {
        expect(Set(Self.names.map { PathText.text($0) }).count, is: Self.names.count)
    }

    @Test("What is text stays as it is, and is shown as it is")
    func plain() {
        expect(PathText.text(Self.names[1]).utf8.elementsEqual(Self.names[1]))
        for name in Self.names where String(validating: name, as: UTF8.self) != nil {
            expect(PathText.shown(PathText.text(name)).utf8.elementsEqual(name))
        }
        expect(
            PathText.shown("'\(PathText.text(Self.names[2]))' is there"), is: #"'caf\xE9' is there"#
        )
        let error = StorageError(.failed, "'\(PathText.text(Self.names[2]))' is there")
        expect(error.message, is: #"'caf\xE9' is there"#)
    }

    @Test("A slash is one whatever is behind it")
    func slashes() {
        expect(
            PathText.names(of: "/a/\u{301}b//c/").map { Array($0.utf8) },
            is: ["a", "\u{301}b", "c"].map { Array($0.utf8) })
        expect(PathText.isAbsolute("/\u{301}b") && !PathText.isAbsolute("a/b"))
    }
}
