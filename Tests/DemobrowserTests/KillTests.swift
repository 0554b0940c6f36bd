import BrowserSessions
import Expectations
import TestSupport

/// The browser is killed at any moment and comes back as it was.
///
/// What waits for processes runs on a thread of its own, so that other tests do not stand in line for
/// it. It expects nothing: on that thread an expectation belongs to no test.
struct KillTests {
    @Test(
        "After each kill all is as after some change, none of them older than what was saved",
        arguments: KillPlan.backends)
    func kills(backend: String) async throws {
        let plan = try KillPlan()
        guard backend == plan.backend ?? backend else {
            try Test.cancel("KILL_BACKEND asks for another")
        }
        try await BlockingWork.run { try KillCampaign(plan: plan, backend: backend).run() }
    }

    @Test(
        "A change is saved in time however many follow it",
        .enabled(if: TestRun.isNightly, "seconds of saving as fast as it goes: NIGHTLY=1"),
        arguments: KillPlan.backends)
    func manyChanges(backend: String) async throws {
        let (run, restored) = try await BlockingWork.run {
            let folder = TemporaryFolder()
            let process = try BrowserProcess.traced(backend, folder)
            var run = TracedRun()
            var line = 0
            while run.lastClock < TracedRun.allowance + 1_000_000 {
                line += 1
                try run.scroll(process, line)
            }
            process.kill()
            run.read(process)
            let next = try BrowserProcess.traced(backend, folder)
            var after = TracedRun()
            after.read(next) { $0.restored != nil }
            return (run, after.restored)
        }
        expect(run.lastChange(olderThan: TracedRun.allowance) > 0)
        expect(try run.findings(in: require(restored)) == [])
    }

    @Test(
        "The first change waits for 2.5 seconds, and those that follow do not make it wait longer")
    func realDelay() async throws {
        let (start, run) = try await BlockingWork.run {
            let folder = TemporaryFolder()
            let process = try BrowserProcess.traced("directory", folder, saveDelay: nil)
            var run = TracedRun()
            run.read(process) { $0.restored != nil }
            // The first change came after this, and was reported after it was made.
            let start = run.lastClock
            var line = 0
            while run.saves.isEmpty {
                line += 1
                try run.scroll(process, line)
            }
            process.kill()
            return (start, run)
        }
        let save = try require(run.saves.first)
        expect(save.clock - start >= 2_500_000)
        expect(save.number > 1)
    }
}

extension BrowserProcess {
    /// A browser that traces its changes and saves for a ``TracedRun``.
    ///
    /// - Parameter saveDelay: in seconds; `nil` for that of every browser.
    static func traced(
        _ backend: String, _ folder: TemporaryFolder, saveDelay: Double? = TracedRun.saveDelay
    ) throws -> BrowserProcess {
        try BrowserProcess(
            [
                "--storage", "\(backend)://\(folder.file("profile"))", "--trace", "-",
                "--ignore-crashes",
            ] + (saveDelay.map { ["--save-delay", "\($0)"] } ?? []))
    }
}

extension TracedRun {
    /// Changes the shown page once more, and waits until the browser reports that it has.
    fileprivate mutating func scroll(_ process: BrowserProcess, _ line: Int) throws {
        process.send(["go scroll \(line)"])
        let count = changes.count
        read(process) { $0.changes.count > count }
        guard changes.count > count else {
            throw Failure("the browser ended by itself: it \(process.ending)")
        }
    }
}
