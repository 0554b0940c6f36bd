import CommandLineSupport
import Expectations
import Foundation
import TestSupport

/// How a program finds itself, and what it was asked for.
struct OwnProgramTests {
    @Test("Arguments that cannot be read are no empty command line")
    func words() throws {
        expect(try OwnProgram.words(of: ["tool"]) == [])
        expect(try OwnProgram.words(of: ["tool", "list", ""]) == ["list", ""])
        expect(throws: CommandError.self) { try OwnProgram.words(of: []) }
    }

    @Test("Arguments that are not UTF-8 are named, never repaired")
    func bytes() throws {
        let name = Array("caf\u{FFFD}".utf8)
        expect(try OwnProgram.texts(of: [[0xE9], name, []]) == ["", "caf\u{FFFD}", ""])
        let error = expect(throws: CommandError.self) {
            try OwnProgram.texts(of: [[], name, RawNames.latin])
        }
        expect(error?.message.visible.contains(#"argument 2, 'caf\xE9', is not UTF-8"#), is: true)
    }

    @Test("It finds its file") func path() throws {
        expect(OwnProgram.path.hasPrefix("/"))
        expect(FileManager.default.isExecutableFile(atPath: OwnProgram.path))
    }
}
