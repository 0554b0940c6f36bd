import BrowserSessions
import Expectations
import Foundation
import LocalFiles
import TestSupport

/// Files as large as the disk lets them say they are, which hold as little as before.
@Suite("huge files")
struct HugeFileTests {
    private let folder = TemporaryFolder()

    /// What stands in the place of a file's end.
    enum End: CaseIterable {
        case nothing, oneByte
    }

    @Test(
        "a file of any size is read or damaged, and nothing adds up to a trap",
        .timeLimit(.minutes(10)), arguments: Subject.all, End.allCases)
    func anyFile(subject: Subject, end: End) async throws {
        let store = try await subject.open(folder, "used")
        for number in 1...3 {
            _ = try await store.save(Sample.window(tabs: number))
            _ = try await store.save(Sample.window(tabs: number, id: Sample.incognito))
        }
        for state in ["killed", "closed"] {
            if state == "closed" { try await store.close() }
            try FileManager.default.copyItem(
                atPath: folder.file("used"), toPath: folder.file(state))
            for file in try FileSystem.files(below: folder.file(state)) {
                try FileManager.default.copyItem(
                    atPath: folder.file(state), toPath: folder.file("profile"))
                try enlarge(folder.file("profile/\(file)"), end)
                try fillQuarantine(end)
                try await use(subject, "\(state) \(file)")
                try? FileManager.default.removeItem(atPath: folder.file("profile"))
            }
        }
    }

    /// Two items, each with files of sizes that have no sum.
    private func fillQuarantine(_ end: End) throws {
        for number in 1...2 {
            let name = "20261121T093000Z-0000\(number)-damaged-store"
            let item = folder.file("profile/quarantine/\(name)")
            try FileSystem.makeDirectories(item)
            for file in ["records", "report.txt", "000001.log"] {
                try FileSystem.replace("\(item)/\(file)", with: [1])
                try enlarge("\(item)/\(file)", end)
            }
        }
    }

    private func enlarge(_ path: String, _ end: End) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        defer { try? file.close() }
        // What tmpfs, XFS and btrfs take, and what ext4 does.
        let sizes: [UInt64] = [(1 << 63) - 1, 1 << 63 - 1 << 12, 1 << 44 - 1 << 12, 1 << 40]
        let size = try #require(sizes.first { (try? file.truncate(atOffset: $0)) != nil })
        guard end == .oneByte else { return }
        try file.seek(toOffset: size - 1)
        try file.write(contentsOf: Data([1]))
    }

    private func use(_ subject: Subject, _ place: String) async throws {
        for _ in 1...2 {
            do {
                let store = try await subject.open(folder)
                _ = try await store.check()
                _ = try? await store.restore(Sample.window)
                _ = try await store.repair()
                _ = try await store.save(Sample.window(tabs: 5))
                try await store.deleteIncognito()
                try await store.close()
            } catch let error as StorageError {
                expect(error.code, is: .corrupted, "\(place): \(error)")
            }
        }
        let location = StorageConfiguration(location: folder.file("profile"))
        do {
            _ = try await subject.backend.remove(location)
        } catch {
            Issue.record("\(place): \(error)")
        }
    }
}
