import BrowserSessions
import DirectoryBackend
import Expectations
import Foundation
import StorageConformance
import StorageEngines
import TestSupport

@Suite("locations that are no good")
struct LocationTests {
    @Test("a path that is none")
    func noPath() async throws {
        let folder = TemporaryFolder()
        for location in ["", folder.file("a\u{0}b")] {
            let configuration = StorageConfiguration(location: location)
            let code = await errorCode {
                _ = try await StorageBackend.directory.open(configuration)
            }
            expect(code, is: .invalidConfiguration)
        }
        let long = folder.file(String(repeating: "x", count: 5000))
        let code = await errorCode {
            _ = try await StorageBackend.directory.open(StorageConfiguration(location: long))
        }
        expect(code != nil && code != .corrupted)
        expect(try FileSystem.contents(of: folder.path) == [])
    }

    @Test("either stamp is enough, and the other is written again")
    func damagedStamp() async throws {
        let folder = TemporaryFolder()
        let store = try await StorageBackend.directory.open(folder)
        _ = try await store.save(Sample.window(tabs: 3))
        try await store.close()
        for name in ["store.json", "store-copy.json"] {
            let stamp = folder.file("profile/\(name)")
            let original = try FileSystem.read(stamp)
            for bytes in [[], [0], [UInt8](repeating: 0x7B, count: 100_000), nil] as [[UInt8]?] {
                try FileSystem.remove(stamp)
                if let bytes { try LocationFiles.overwrite(stamp, with: bytes) }
                let again = try await StorageBackend.directory.open(folder)
                expect(try await again.restore(Sample.window)?.tabs.count == 3)
                expect(try await again.check().losses == [])
                try await again.close()
                expect(try FileSystem.read(stamp) == original)
            }
        }
    }
}
