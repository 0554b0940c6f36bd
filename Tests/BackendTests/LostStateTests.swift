import BrowserSessions
import Foundation
import TestSupport
import Testing

/// A damaged state blob is known to be lost, not taken for one that was never saved.
@Suite("lost states")
struct LostStateTests {
    private let key = TabStateKey(tab: Sample.tab(4).id, name: .native)
    private let blob = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

    /// A store that was opened once more since the blob was saved, with one bit of it flipped.
    private func damagedStore(_ subject: Subject) async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        var store = try await subject.open(folder)
        _ = try await store.save(Sample.window(tabs: 10))
        try await store.close()
        store = try await subject.open(folder)
        var changes = SessionChanges()
        changes.put(blob, for: key)
        _ = try await store.save(changes)
        try await store.close()
        try await subject.open(folder).close()
        let profile = folder.file("profile")
        for name in try FileSystem.files(below: profile) {
            var bytes = try FileSystem.read("\(profile)/\(name)")
            let place = Data(bytes).range(of: Data(blob[5000..<5050]))
            guard let start = place?.lowerBound else { continue }
            bytes[start] ^= 1
            try FileSystem.overwrite("\(profile)/\(name)", with: bytes)
        }
        return folder
    }

    @Test("a damaged state is corrupted at every opening until a repair", arguments: Subject.all)
    func staysLost(subject: Subject) async throws {
        let folder = try await damagedStore(subject)
        for _ in 1...3 {
            let store = try await subject.open(folder)
            let error = await #expect(throws: StorageError.self) {
                try await store.state(of: key)
            }
            #expect(error?.code == .corrupted)
            #expect(try await store.stateKeys(in: Sample.window) == [key])
            #expect(try await store.restore(Sample.window)?.tabs.count == 10)
            let losses = try await store.recover(.check).losses
            #expect(losses.map(\.kind) == [.state])
            #expect(losses.first?.tab == key.tab && losses.first?.session == Sample.window)
            try await store.close()
        }
        let store = try await subject.open(folder)
        _ = try await store.recover(.repair)
        #expect(try await store.state(of: key) == nil)
        #expect(try await store.recover(.check).losses == [])
        try await store.close()
    }
}
