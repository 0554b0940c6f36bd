import BrowserModel
import BrowserSessions
import LocalFiles
import SessionRestoration
import SessionSamples
import SessionTesting
import Testing

/// A host as small as possible: one window, saved one delay after it changed.
private actor Host {
    private let storage: any SessionStorage
    private let clock: any Clock<Duration>
    private(set) var window: RestoredSession?
    private var unsaved: SessionSnapshot?
    private var saving: Task<Void, any Error>?

    init(storage: any SessionStorage, clock: any Clock<Duration>) {
        self.storage = storage
        self.clock = clock
    }

    func show(_ window: SessionSnapshot) {
        unsaved = window
        guard saving == nil else { return }
        saving = Task { try await saveUntilItWorks() }
    }

    func restore(_ id: SessionID) async throws { window = try await storage.restore(id) }

    private func saveUntilItWorks() async throws {
        while let window = unsaved {
            try await clock.sleep(for: .seconds(2.5))
            let isSaved = (try? await storage.save(SessionChanges(saving: window))) != nil
            if isSaved, unsaved == window { unsaved = nil }
        }
        saving = nil
    }
}

/// The examples of SessionTesting.md.
@Suite("The examples in the documentation", .timeLimit(.minutes(10)))
struct ExampleTests {
    private static func samples() -> (SessionSnapshot, SessionSnapshot) {
        var sampler = SessionSampler(seed: 1)
        let window = sampler.window(tabs: 3)
        var changed = window
        changed.attributes.title = "renamed"
        return (window, changed)
    }

    @Test func hostIsTestedWithoutFilesAndWithoutTime() async throws {
        let (window, changed) = Self.samples()

        let clock = ManualClock()
        let memory = MemoryStorage()
        let storage = FaultyStorage(memory)
        let host = Host(storage: storage, clock: clock)
        await host.show(window)
        await clock.waitForSleepers()
        #expect(storage.calls == [])
        clock.advance(by: .seconds(2.5))
        await storage.waitForAnswers(of: .save)
        #expect(memory.snapshots == [window])

        storage.fail(.save, with: StorageError(.outOfSpace, "the disk is full"), on: .first(2))
        await host.show(changed)
        for attempt in 2...4 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(2.5))
            await storage.waitForAnswers(of: .save, count: attempt)
        }
        #expect(memory.snapshots == [changed])

        let next = FaultyStorage(memory.reopened())
        let relaunched = Host(storage: next, clock: clock)
        try await relaunched.restore(window.id)
        #expect(await relaunched.window?.tabs.map(\.id) == window.tabs.map(\.metadata.id))
        #expect(next.statesRead == 0)
    }

    @Test @MainActor func aRestorerIsTestedWhenItIsIdle() async throws {
        let clock = ManualClock()
        let storage = FaultyStorage()
        let windows = WindowList(now: { clock.timestamp })

        let restorer = SessionRestorer(windows: windows, storage: storage, clock: clock)
        try await restorer.restore()
        let tab = try open("https://example.org/", in: windows)
        storage.forgetCalls()
        clock.advance(by: .milliseconds(2400))
        await restorer.waitUntilIdle()
        #expect(storage.calls(of: .save).isEmpty)
        clock.advance(by: .milliseconds(100))
        await restorer.waitUntilIdle()
        #expect(storage.calls(of: .save).first?.tabIDs == [tab.id])
        #expect(restorer.isSaved)
    }

    /// A tab in a window of its own.
    @MainActor private func open(_ url: String, in windows: WindowList) throws -> Tab {
        let tab = Tab(url: url)
        try windows.open().tabs.insert(tab)
        return tab
    }

    @Test func everyExampleIsTheCodeOfThisFile() throws {
        let package = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        let page = try lines(
            "\(package)/Sources/SessionTesting/SessionTesting.docc/SessionTesting.md")
        let code = try lines(#filePath)
        var examples = 0
        for example in page.joined(separator: "\n").split(separator: "```swift\n").dropFirst() {
            let wanted = example.prefix(
                upTo: example.firstRange(of: "```")?.lowerBound ?? example.endIndex)
            examples += 1
            #expect(code.joined(separator: "\n").contains(wanted), "\(wanted)")
        }
        #expect(examples == 4)
    }

    /// The lines of a file without spaces at their ends.
    private func lines(_ path: String) throws -> [String] {
        String(decoding: try FileSystem.read(path), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }) }
    }
}
