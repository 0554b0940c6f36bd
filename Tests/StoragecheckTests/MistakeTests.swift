import Expectations
import Foundation
import TestSupport

/// What is wrong is said before anything is run, by its name and with what to do.
@Suite("Mistakes on the command line")
struct MistakeTests {
    private let place = TemporaryFolder()

    @Test(arguments: [
        (["--group", "SAEV"], "no group 'SAEV'; did you mean 'SAVE'?; there is: SAVE, RESTORE"),
        (["--group", "CLOSE,X"], "no group 'X'"),
        (["--group", "save-3"], "write --requirement SAVE-3"),
        (["--group", ","], "The value ',' is invalid"),
        (["--requirement", "CLOES-1"], "did you mean 'CLOSE-1'?"),
        (["--requirement", "CLOSE-99"], "there is: CLOSE-1, CLOSE-2"),
        (["--requirement", "close"], "write --group CLOSE"),
        (["--case", "CLOSE-1 close twise"], "did you mean 'CLOSE-1 close twice'?"),
        (["--case", "CLOSE-1 x"], "there is: CLOSE-1 close twice"),
        (["--group", "SAVE", "--requirement", "CLOSE-1"], "no case is in all of the lists"),
        (["--jobs", "0"], "--jobs must be 1 or more"),
        (["--storage", "sqlitte:///nowhere"], "did you mean 'sqlite'?"),
        (["--baseline", "/nowhere"], "'/nowhere' cannot be read"),
        (["--format", "jsno"], "did you mean 'json'?"),
        (["--output", "report.pdf"], ".txt (text), .md (markdown), .json (json), .xml (junit)"),
        (["--output", "/nowhere/a.xml"], "there is no folder '/nowhere'"),
        (["--output", "/usr"], "'/usr' is a folder"),
        (["--output", "/proc/a.json"], "cannot be written"),
        (["list", "--format", "junit"], "the list has no form 'junit'; there is: text"),
        (["list", "--output", "a.xml"], "'a.xml': the list has no form"),
        (["replay", "x"], "'x' is invalid"),
        (["child"], "this is for storagecheck itself"),
    ])
    func areNamed(arguments: [String], words: String) throws {
        let outcome = try CheckTool.run(arguments)
        expect(outcome.status, is: 64)
        expect(outcome.messages.contains(words), "\(outcome.messages)")
        expect(outcome.output.isEmpty && !outcome.messages.contains("seed 1"))
    }

    @Test(arguments: [
        ["replay"], ["replay", "1", "--group", "MODEL"], ["replay", "1", "--mutant", "unknown"],
        ["run", "--mutant", "drops-the-fifth-move"], ["verify-suite", "--group", "SAVE"],
        ["verify-suite", "--storage", "sqlite:///x"], ["verify-suite", "--mutant", "unknown"],
        ["verify-suite", "--format", "junit"],
    ])
    func areThoseOfOneCommand(arguments: [String]) throws {
        expect(try CheckTool.run(arguments).status == 64)
    }

    @Test func aFileForAReportStaysAsItIsUntilTheReport() throws {
        let (old, new) = (place.file("old.json"), place.file("new.json"))
        try "mine".write(toFile: old, atomically: true, encoding: .utf8)
        let outcome = try CheckTool.run(["--output", old, "--output", new, "--group", "SAEV"])
        expect(outcome.status, is: 64)
        expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["old.json"])
        expect(try String(contentsOfFile: old, encoding: .utf8) == "mine")
        let twice = try CheckTool.run(["--output", old, "--output", place.file("./old.json")])
        expect(twice.status == 64 && twice.messages.contains("is there twice"))
    }
}
