import BrowserSessions
import Expectations
import StorageEngines

@testable import StorageConformance

/// A backend that opens readers beside the owner conforms, and one reader is as good as another store.
@Suite("Stores with readers")
struct ReadingStoreTests {
    @Test("one that reads a copy of what its owner has written")
    func copies() async throws {
        for testCase in ConformanceSuite.cases where testCase.requirement.id == "READ-2" {
            expect(try await testCase.check(any: BackendHarness(.copied)) == .passed)
        }
    }
}

extension StorageBackend {
    /// Reads copies. Its owners write nothing while they are copied, so a copy is what a kill leaves.
    fileprivate static let copied = StorageBackend(
        name: "reference", summary: "",
        openReader: { configuration throws(StorageError) in
            var copy = configuration
            copy.location += ".copied"
            copy.options["access"] = .text(StorageAccess.readOnly.rawValue)
            try FileSystem.copy(configuration.location, to: copy.location)
            defer { try? FileSystem.remove(copy.location) }
            return StoreReader(try ReferenceEngine.open(copy), sequence: 1, asOf: .unknown)
        }
    ) { configuration throws(StorageError) in
        try ReferenceEngine.open(configuration).claiming { $0.opensReaders = true }
    }
}
