import BrowserSessions
import Expectations
import StorageConformance
import StorageEngines
import TestSupport
import Testing

/// Stores that do not say which backend made them.
struct IdentityTests {
    @Test(
        "two damaged identities are rewritten by the backend that made the store",
        arguments: TestedEngine.withDirectory)
    func identities(tested: TestedEngine) async throws {
        for damage in [nil, [UInt8]("not a store".utf8), []] {
            let folder = TemporaryFolder()
            let store = try await tested.backend.open(folder)
            _ = try await store.save(Sample.window(tabs: 3))
            try await store.close()
            for name in ["store.json", "store-copy.json"] {
                try FileSystem.remove(folder.file("profile/\(name)"))
                if let damage {
                    try LocationFiles.overwrite(folder.file("profile/\(name)"), with: damage)
                }
            }
            let before = try LocationFiles(folder.file("profile"))
            for other in TestedEngine.withDirectory where other.backend.name != tested.backend.name
            {
                let code = await errorCode { _ = try await other.backend.open(folder) }
                expect(code, is: .incompatibleFormat)
                expect(try LocationFiles(folder.file("profile")).difference(from: before) == nil)
            }
            let again = try await tested.backend.open(folder)
            expect(try await again.restore(Sample.window)?.tabs.count == 3)
            let report = try await again.check()
            expect(report.losses, is: [])
            expect(report.notes.contains { $0.contains("rewritten") })
            try await again.close()
            let third = try await tested.backend.open(folder)
            expect(try await third.check().notes.contains { $0.contains("rewritten") } == false)
            try await third.close()
        }
    }
}
