import BrowserSessions
import Foundation
import StorageEngines

/// RECOVERY-1: files as large as the disk lets them say they are, which hold as little as before.
enum HugeFiles {
    @Sendable static func areSurvived(_ context: CaseContext) async throws {
        let files = try LocationFiles(try await UsedStore(context).location)
        let location = try await context.makeLocation("opened with a huge file")
        for file in files.files {
            for end in [[], [1]] as [[UInt8]] {
                try files.write(to: location)
                try enlarge("\(location)/\(file)", end)
                // Two such sizes in what was set aside have no sum.
                for item in 1...2 {
                    let item = "\(location)/quarantine/20261121T093000Z-0000\(item)-damaged-store"
                    try FileSystem.makeDirectories(item)
                    try LocationFiles.overwrite("\(item)/records", with: [1])
                    try enlarge("\(item)/records", end)
                }
                context.trying("'\(file)', as large as it can be, \(end.count) bytes at its end")
                for _ in 1...2 { try await use(location, file, context) }
            }
        }
    }

    static func enlarge(_ path: String, _ end: [UInt8] = []) throws {
        let file = try PosixFile(opening: path, flags: O_WRONLY)
        // What tmpfs, XFS and btrfs take, and what ext4 does.
        let sizes = [Int.max, Int.max - 4095, 1 << 44 - 1 << 12, 1 << 40]
        let size = try unwrap(
            sizes.first { (try? file.truncate(to: $0)) != nil }, "no file is huge here")
        if !end.isEmpty { pwrite(file.raw, end, end.count, size - end.count) }
    }

    private static func use(_ location: String, _ file: String, _ context: CaseContext) async throws
    {
        do {
            try await context.withStore(at: location) { store in
                _ = try await store.check()
                for id in (try? await store.sessions()) ?? [] { _ = try? await store.restore(id) }
                _ = try await store.repair()
                _ = try await store.save(Plain.window(1, tabs: 0..<5).changes)
                try await store.deleteIncognito()
            }
        } catch let error as StorageError {
            try require(error.code == .corrupted, "'\(file)', as large as it can be: \(error.full)")
        }
    }
}
