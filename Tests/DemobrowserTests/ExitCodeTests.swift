import BrowserSessions
import ChildProcesses
import Expectations
import Foundation
import StorageConformance
import StorageEngines
import TestSupport

/// What scripts rely on.
struct ExitCodeTests {
    private let folder = TemporaryFolder()
    private var store: [String] { ["--storage", "directory://\(folder.file("profile"))"] }

    private func script(_ lines: String...) throws -> [String] {
        let path = folder.file("script")
        try FileSystem.replace(path, with: [UInt8](lines.joined(separator: "\n").utf8))
        return store + ["--script", path]
    }

    @Test(
        "A wrong command line is 64, and no store is made",
        arguments: [
            ["--no-such-flag"], ["frobnicate"], ["--save-delay", "soon"], ["--save-delay", "-1"],
            ["--script", "no-such-file"],
        ])
    func commandLine(arguments: [String]) throws {
        let outcome = try Outcome(of: store + arguments)
        expect(outcome.status, is: 64)
        expect(outcome.messages.hasPrefix("Error: "))
        expect(try !FileSystem.exists(folder.file("profile")))
    }

    @Test(
        "A wrong line of a script ends with 64, after what was done before is saved",
        arguments: ["slect 1", "select 9", "open http://example.org/", "close"])
    func wrongLine(line: String) throws {
        let outcome = try Outcome(of: script("open demo:page/7", line, "open demo:page/8"))
        expect(outcome.status, is: 64)
        expect(outcome.messages.contains("demobrowser: '\(line)': "))
        let after = try Outcome(of: store, input: ["tabs"])
        expect(after.output.contains("Page 7"))
        expect(!after.output.contains("Page 8"))
    }

    @Test func withKeepGoingAWrongLineIsReportedAndTheRestIsDone() throws {
        let outcome = try Outcome(of: script("select 9", "open demo:page/8") + ["--keep-going"])
        expect(outcome.status, is: 0)
        expect(outcome.messages.contains("there is no tab 9: the window has 1 tab,"))
        expect(outcome.output.contains("Page 8"))
    }

    @Test func aWrongLineOfStandardInputIsReportedAndTheRestIsDone() throws {
        let outcome = try Outcome(
            of: store, input: ["slect 1", "open demo:page/8", "quit", "frob"])
        expect(outcome.status, is: 0)
        expect(outcome.messages.contains("did you mean 'select'?"))
        expect(!outcome.messages.contains("frob"))
        expect(outcome.output.contains("Page 8"))
    }

    @Test("A signal that asks it to end ends it in order", arguments: [SIGTERM, SIGHUP, SIGINT])
    func signals(number: Int32) throws {
        let browser = try BrowserProcess(store)
        browser.send(["open demo:page/7", "tabs"])
        // waits: each turn blocks until the browser has printed a line
        while let line = browser.line(), !line.contains("Page 7") {}
        expect(browser.end(by: number), is: .signal(number))
        let after = try Outcome(of: store, input: ["tabs"])
        expect(after.output.contains("ended in order") && after.output.contains("Page 7"))
    }

    @Test func whatCanNotBeDoneIs2() throws {
        let outcome = try Outcome(of: ["--storage", "sqlit://\(folder.file("profile"))"])
        expect(outcome.status, is: 2)
        expect(outcome.messages.contains("did you mean 'sqlite'?"))
    }

    @Test func aCrashEndsWithASignal() throws {
        let outcome = try Outcome(of: store, input: ["crash"])
        expect(outcome.end, is: .signal(SIGABRT))
    }
}
