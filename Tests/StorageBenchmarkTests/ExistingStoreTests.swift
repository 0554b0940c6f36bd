import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import SessionSamples
import TestSupport

@testable import StorageBenchmark

@Suite("A location that holds a store")
struct ExistingStoreTests {
    /// All that a store holds.
    private struct Content: Equatable {
        var sessions: [RestoredSession] = []
        var state: [TabStateKey: [UInt8]] = [:]
    }

    private let place = TemporaryFolder()
    private let contestant: Contestant
    private let key: TabStateKey
    private var store: String { "\(place.path)/store" }

    /// Saves a window of ten tabs, one of them with state.
    init() async throws {
        contestant = try Contestants.test().contestant(ContestantName("directory"))
        var sampler = SessionSampler(seed: 9)
        let window = SceneWindow(sampler.window(tabs: 10))
        key = TabStateKey(tab: window.tabs[3].id, name: .native, partition: .regular)
        var changes = window.changes
        changes.put([1, 2, 3], for: key)
        let store = try contestant.open("\(place.path)/store")
        _ = try await store.save(changes, durability: .powerLoss)
        try await store.close()
    }

    private func content() async throws -> Content {
        let store = try contestant.open(self.store)
        var content = Content()
        for id in try await store.sessions() {
            let restored = try await store.restore(id, at: .current)
            content.sessions.append(try #require(restored))
        }
        content.state = try await store.states(of: [key])
        try await store.close()
        return content
    }

    private func bench(_ more: [String]) throws -> (status: Int32?, messages: String) {
        let tool = try Tool(
            ["--backends", "dry", "--workloads", "save-one-tab", "--tabs", "10", "--samples", "3"]
                + more)
        let messages = tool.end()
        return (tool.status, messages)
    }

    @Test(arguments: ["--storage", "--folder"])
    func itIsRefused(option: String) async throws {
        let before = try await content()
        let location = option == "--storage" ? "directory://\(store)" : store
        let (status, messages) = try bench([option, location])
        expect(status, is: 64)
        expect(messages.contains("'\(store)' holds a store"), "\(messages)")
        expect(messages.contains("--allow-existing"))
        expect(try await content() == before)
    }

    @Test func itIsTakenIfTheUserAllowsItAndNotHarmed() async throws {
        let before = try await content()
        expect(before.sessions.map(\.tabs.count), is: [10])
        expect(before.state, is: [key: [1, 2, 3]])
        let files = try FileSystem.contents(of: store)
        let report = "\(place.path)/report.json"
        let (status, messages) = try bench([
            "--storage", "directory://\(store)", "--folder", store, "--allow-existing",
            "--output", report,
        ])
        expect(status, is: 0, "\(messages)")
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: report)))
        let rows = try BenchReport(json: bytes).results
        expect(Set(rows.map(\.backend)), is: ["directory", "dry"], "it was measured there")
        expect(rows.allSatisfy { $0.verified })
        expect(try FileSystem.contents(of: store) == files)
        expect(try await content() == before)
    }
}
