import BrowserSessions
import Expectations
import StorageEngines
import TestSupport

@testable import StorageBenchmark

@Suite("A location that holds a store")
struct ExistingStoreTests {
    @Test(arguments: ["--storage", "--folder"])
    func itIsRefused(option: String) async throws {
        let place = TemporaryFolder()
        let store = place.file("store")
        let opened = try Contestants.test().contestant(ContestantName("directory")).open(store)
        try await opened.close()
        let before = try FileSystem.contents(of: store)
        let tool = try Tool([
            "--backends", "dry", "--workloads", "save-one-tab", "--tabs", "10", "--samples", "3",
            option, option == "--storage" ? "directory://\(store)" : store,
        ])
        let messages = tool.end()
        expect(tool.status, is: 64)
        expect(messages.contains("'\(store)' holds a store"), "\(messages)")
        expect(try FileSystem.contents(of: store) == before)
    }
}
