import CommandLineSupport
import Foundation
import TestSupport
import Testing

/// How a program finds itself, and what it was asked for.
@Suite struct OwnProgramTests {
    @Test("Arguments that cannot be read are no empty command line")
    func words() throws {
        #expect(try OwnProgram.words(of: ["tool"]) == [])
        #expect(try OwnProgram.words(of: ["tool", "list", ""]) == ["list", ""])
        #expect(throws: CommandError.self) { try OwnProgram.words(of: []) }
    }

    @Test("It finds its file") func path() throws {
        #expect(OwnProgram.path.hasPrefix("/"))
        #expect(FileManager.default.isExecutableFile(atPath: OwnProgram.path))
    }
}
