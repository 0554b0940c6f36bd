import BrowserModel
import BrowserSessions
import Foundation
import GTKSupport
import SessionRestoration
import WebKitGTKEngine

/// The measured costs of pages and their state.
@GLibActor
struct Costs {
    private let stage: Stage

    init(folder: String, server: String) async throws {
        let saves = SaveCounter()
        let browser = try await Browser(folder: folder, observer: saves)
        stage = Stage(browser, saves, folder: folder, server: server)
    }

    func measure() async throws {
        try measureModel()
        let window = stage.regular[0]
        let tab = try await stage.open("page/1", in: window)
        try await measureCapture(of: tab, in: window)
        await measureHop()
        try await measureMemory(in: window)
        try await measureSwitching(in: window)
        await stage.browser.close()
    }

    private func measureCapture(of tab: Tab, in window: Window) async throws {
        capture(tab, "one entry")
        let long = try await stage.open("script/push", in: window)
        _ = await stage.until { long.title.hasPrefix("Pushed") }
        capture(long, "\(long.page?.history.entries.count ?? 0) entries")
        try window.tabs.close(long)
    }

    private func capture(_ tab: Tab, _ what: String) {
        guard let view = stage.browser.engine.view(of: tab) else { return }
        var bytes = 0
        let time = ContinuousClock().measure {
            for _ in 0..<200 { bytes = stage.browser.engine.capture(view).native?.count ?? 0 }
        }
        stage.say("capture, \(what): \((time / 200).text), \(bytes) bytes")
    }

    private func measureHop() async {
        let time = await Task.detached {
            let start = ContinuousClock.now
            for _ in 0..<1000 { await Self.comeAndGo() }
            return ContinuousClock.now - start
        }.value
        stage.say("to the main loop and back: \((time / 1000).text)")
    }

    private static var visits = 0
    private static func comeAndGo() { visits += 1 }

    private func measureMemory(in window: Window) async throws {
        await waitUntilStable()
        let few = memory()
        for number in 2...11 { try await stage.open("page/\(number)", in: window) }
        await waitUntilStable()
        let realized = memory()
        await stage.browser.restorer.realizedTabs.unload(keeping: 1)
        let left = (window.tabs.filter(\.isRealized)).count
        await waitUntilStable()
        let unloaded = memory()
        try window.tabs.performBatch { list in
            for number in 0..<2000 {
                try list.insert(
                    stage.browser.unrealizedTab(stage.address("page/\(number)"), "Page \(number)"))
            }
        }
        try await stage.browser.restorer.save()
        await waitUntilStable()
        let unrealized = memory()
        stage.say(
            "browser with one page: \(few.all / 1024) MB, \(few.host / 1024) MB for the host")
        stage.say("a realized tab: \((realized.all - few.all) / 10) kB")
        stage.say(
            "10 of 11 unloaded, \(left) left: \((realized.all - unloaded.all) / 1024) MB less")
        stage.say(
            "an unrealized tab with its label: \((unrealized.host - unloaded.host) / 2000) kB")
    }

    private func measureModel() throws {
        let list = try WindowList().open().tabs
        let before = memory().host
        for number in 0..<10_000 {
            try list.insert(
                stage.browser.unrealizedTab(stage.address("page/\(number)"), "Page \(number)"))
        }
        let bytes = (memory().host - before) * 1024 / list.count
        stage.say("an unrealized tab in the model, with a held state of one page: \(bytes) bytes")
    }

    /// Measures the work between selecting a tab without a page and creating its view: reading the
    /// state from the store and preparing the page, here with an engine that does nothing.
    private func measureSwitching(in window: Window) async throws {
        let states = stage.browser.restorer.states
        var times: [Duration] = []
        for tab in window.tabs where !tab.isRealized && tab.heldState == nil {
            let start = ContinuousClock.now
            let state = try await states.state(of: tab)
            let list = try WindowList().open().tabs
            try list.insert(Tab(unrealized: tab.metadata, state: state), as: .active)
            times.append(ContinuousClock.now - start)
        }
        stage.say(
            "selecting a tab without a page, without the engine: \(times.sorted()[times.count / 2].text)"
        )
    }

    private func waitUntilStable() async {
        // waits: for processes to begin and to end
        try? await Task.sleep(for: .seconds(3))
    }

    /// Returns the memory in kB of this process and of all below it. Shared memory is counted once.
    private func memory() -> (all: Int, host: Int) {
        let host = memory(of: getpid())
        return (stage.processes().reduce(host) { $0 + memory(of: $1) }, host)
    }

    private func memory(of process: pid_t) -> Int {
        let text =
            (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
