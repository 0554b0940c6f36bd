import BrowserSessions
import Foundation
import StorageEngines

/// ERROR-2: stores that another user could change.
enum UnsafeStores {
    @Sendable static func linksInside(_ context: CaseContext) async throws {
        let location = try await context.closedStore()
        let folder = try await context.makeLocation("outside")
        let outside = "\(folder)/moved"
        try FileSystem.makeDirectories(folder)
        try FileSystem.makeDirectories("\(location)/quarantine")
        let names = try LocationFiles(location).entries.keys.filter {
            !$0.hasPrefix("incognito") || $0 == "incognito/"
        }
        for name in names.map({ $0.hasSuffix("/") ? String($0.dropLast()) : $0 }).sorted() {
            let inside = "\(location)/\(name)"
            try FileSystem.move(inside, to: outside)
            try FileManager.default.createSymbolicLink(
                atPath: inside, withDestinationPath: outside)
            try await requireUnsafe(location, "'\(name)' is a link", folder, context)
            try FileSystem.remove(inside)
            try FileSystem.move(outside, to: inside)
        }
    }

    @Sendable static func writableByOthers(_ context: CaseContext) async throws {
        let location = try await context.closedStore()
        for folder in [location, "\(location)/\(StoragePartition.regular.rawValue)"]
        where try FileSystem.status(folder)?.kind == .directory {
            // Only the superuser can give a folder away.
            if geteuid() == 0 {
                _ = chown(folder, 12345, 12345)
                try await requireUnsafe(location, "another user has a folder", folder, context)
                _ = chown(folder, 0, 0)
            }
            for mode in [0o777, 0o702, 0o770] as [mode_t] {
                _ = chmod(folder, mode)
                try await requireUnsafe(location, "others may write to a folder", folder, context)
                _ = chmod(folder, 0o700)
            }
        }
    }

    /// Checks that a store is refused, and that neither it nor what is at a path changes.
    private static func requireUnsafe(
        _ location: String, _ subject: String, _ path: String, _ context: CaseContext
    ) async throws {
        let places = [location, path]
        let before = try places.map { try LocationFiles($0) }
        try await requireError(.unsafeLocation, from: subject) {
            _ = try await context.open(location)
        }
        for (place, files) in zip(places, before) {
            try files.requireSame(at: place, subject)
        }
    }
}
