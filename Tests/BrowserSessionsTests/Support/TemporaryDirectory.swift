import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines

/// A directory that is gone when it goes out of scope.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "browser-sessions-core-" + UUID().uuidString
        try FileSystem.makeDirectory(path)
    }

    deinit { try? FileSystem.remove(path) }

    var directory: PosixDirectory {
        get throws { try PosixDirectory(opening: path) }
    }

    /// Where the test's store lies.
    var store: String { "\(path)/profile" }

    /// The paths of all files below, with their bytes; but for the lock, which names a process.
    func files(in folder: String? = nil) throws -> [String: [UInt8]] {
        let folder = folder ?? path
        var found: [String: [UInt8]] = [:]
        for name in try FileSystem.contents(of: folder) where name != "lock" {
            let file = "\(folder)/\(name)"
            if try FileSystem.status(file)?.kind == .directory {
                found.merge(try files(in: file)) { $1 }
            } else {
                found[file] = try FileSystem.read(file)
            }
        }
        return found
    }
}
