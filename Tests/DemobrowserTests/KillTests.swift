import BrowserSessions
import Foundation
import SessionSamples
import TestSupport
import Testing

/// The browser is killed at any moment and comes back as it was.
@Suite struct KillTests {
    static let backends = ["directory", "sqlite", "leveldb"]
    private static let kills = 100
    private static let saveDelay = 0.05

    @Test(
        "After each of 100 kills all is as after some change, none of them older than what was saved",
        arguments: backends)
    func kills(backend: String) async throws {
        try await onOwnThread {
            let folder = TemporaryFolder()
            var random = SeededGenerator(seed: 5)
            var last: TracedRun?
            var acknowledged = 0
            for kill in 0...Self.kills {
                var commands = RandomCommands(seed: UInt64(kill))
                let process = try browser(backend, folder)
                // The answer to the last one tells that all were done.
                process.send(commands.next(100) + ["help"])
                let moment = random.integer(in: 1...60)
                var run = TracedRun()
                run.read(process) { $0.changes.count + $0.saves.count == moment || $0.isIdle }
                process.kill()
                run.read(process)
                let restored = try #require(run.restored, "the browser did not start")
                if let last { try check(restored, after: last, "kill \(kill)") }
                acknowledged += run.saves.count
                last = run
            }
            let saves = acknowledged
            #expect(saves > Self.kills, "too few saves to say anything")
            try checkNothingIncognito(in: folder.file("profile/regular"))
        }
    }

    @Test(
        "A change is saved in time however many follow it", arguments: backends)
    func manyChanges(backend: String) async throws {
        try await onOwnThread {
            let folder = TemporaryFolder()
            let process = try browser(backend, folder)
            var run = TracedRun()
            var line = 0
            while run.lastClock < allowance + 1_000_000 {
                line += 1
                process.send(["go scroll \(line)"])
                let count = run.changes.count
                run.read(process) { $0.changes.count > count }
                try #require(run.changes.count > count, "the browser ended by itself")
            }
            process.kill()
            run.read(process)
            let next = try browser(backend, folder)
            var after = TracedRun()
            after.read(next) { $0.restored != nil }
            let restored = try #require(after.restored)
            let old = run.lastChange(olderThan: allowance)
            #expect(old > 0)
            try check(restored, after: run, "the kill")
        }
    }

    @Test(
        "The first change waits for 2.5 seconds, and those that follow do not make it wait longer")
    func realDelay() async throws {
        try await onOwnThread {
            let folder = TemporaryFolder()
            let process = try browser("directory", folder, saveDelay: nil)
            var run = TracedRun()
            run.read(process) { $0.restored != nil }
            // The first change came after this, and was told after it was made.
            let start = run.lastClock
            var line = 0
            while run.saves.isEmpty {
                line += 1
                process.send(["go scroll \(line)"])
                let count = run.changes.count
                run.read(process) { $0.changes.count > count }
                try #require(run.changes.count > count, "the browser ended by itself")
            }
            process.kill()
            let save = try #require(run.saves.first)
            #expect(save.clock - start >= 2_500_000)
            #expect(save.number > 1)
        }
    }

    /// How old a change may become before it must be saved: the delay, and as much time as a busy
    /// machine may need.
    private var allowance: Int { Int((Self.saveDelay + 5) * 1_000_000) }

    private func browser(
        _ backend: String, _ folder: TemporaryFolder, saveDelay: Double? = Self.saveDelay
    ) throws -> BrowserProcess {
        try BrowserProcess(
            [
                "--storage", "\(backend)://\(folder.file("profile"))", "--trace", "-",
                "--ignore-crashes",
            ] + (saveDelay.map { ["--save-delay", "\($0)"] } ?? []))
    }

    private func check(_ restored: String, after run: TracedRun, _ moment: String) throws {
        guard let number = run.number(of: restored) else {
            Issue.record("\(moment): this never was: \(run.difference(to: restored))")
            return
        }
        let acknowledged = run.acknowledged
        #expect(number >= acknowledged, "\(moment): acknowledged changes are lost")
        let old = run.lastChange(olderThan: allowance)
        #expect(number >= old, "\(moment): changes are lost that should have been saved")
        let state = try TracedState(restored)
        let tabs = state.tabs.map(\.id)
        #expect(Set(tabs).count == tabs.count, "\(moment): a tab is there twice")
        let isPrivate = state.tabs.contains { tab in
            ([tab.url] + tab.history).contains { $0.contains("page/777") }
        }
        #expect(!isPrivate, "\(moment): an incognito tab is among the others")
    }

    /// No byte of a file of the regular side tells of an incognito tab.
    private func checkNothingIncognito(in folder: String) throws {
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        for file in try #require(files) {
            let path = folder + "/" + file
            guard try FileSystem.status(path)?.kind == .file else { continue }
            let bytes = Data(try FileSystem.read(path))
            #expect(
                bytes.range(of: Data("page/777".utf8)) == nil, "\(file) tells of incognito tabs")
        }
    }
}
