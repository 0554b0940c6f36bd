import BrowserModel
import BrowserSessions
import ChildProcesses
import DirectoryBackend
import Expectations
import Foundation
import SessionRestoration
import StorageConformance
import TestSupport

/// The browser of the guide as real processes, which end as programs end.
@Suite("The guide's browser ends")
struct EndingTests {
    private let folder = TemporaryFolder()

    private func start(_ way: String) throws -> RunningProgram {
        try RunningProgram(
            [BuiltProgram.named("readmehost").path, way, folder.path], output: .pipe, limit: 60)
    }

    /// How the process before ended, as the next one judges it; and what came back.
    @MainActor
    private func judged() async throws -> (kind: LaunchAssessment.Kind?, decision: String) {
        let storage = try await StorageBackend.directory.open(
            StorageConfiguration(location: folder.file("profile")))
        let sessions = SessionRestorer(windows: WindowList(), storage: storage)
        let report = try await sessions.restore()
        try await sessions.close()
        try await storage.close()
        return (report.launch.kind, "\(report)")
    }

    private static let all = "2 windows with 4 tabs came back; 1 private window with 1 tab"

    @Test("without close(), four times: none of it is a crash", arguments: ["return", "exit"])
    func unclosed(way: String) async throws {
        for number in 0..<4 {
            let program = try start(way)
            let words = String(decoding: program.readToEnd(), as: UTF8.self)
            expect(program.end().status, is: (way == "exit" ? 3 : 0))
            expect(words, is: (number == 0 ? "nothing came back" : Self.all) + "\n")
        }
        let (kind, words) = try await judged()
        expect(kind == .exited && words == Self.all)
    }

    @Test("at a signal, as the guide says", arguments: [SIGTERM, SIGHUP, SIGINT])
    func signals(number: Int32) async throws {
        for launch in 0..<2 {
            let program = try start("signal")
            let words = String(decoding: program.read(), as: UTF8.self)
            expect(words, is: (launch == 0 ? "nothing came back" : Self.all) + "\n")
            program.send(number)
            expect(program.end(), is: .signal(number))
        }
        let (kind, words) = try await judged()
        expect(kind == .clean && words == Self.all)
    }

    @Test("in the background, as systems do")
    func background() async throws {
        for _ in 0..<3 { expect(try start("background").end() == .signal(SIGKILL)) }
        let (kind, words) = try await judged()
        expect(kind == .endedInBackground && words == Self.all)
    }

    @Test("by a trap, which stays a crash: the second one sets the windows aside")
    func traps() async throws {
        for _ in 0..<2 { expect(try start("trap").end().status == nil) }
        let (kind, words) = try await judged()
        expect(kind, is: .afterCrash(count: 2))
        expect(words.hasSuffix("4 tabs of 2 windows are set aside (crash-loop)"))
    }
}
