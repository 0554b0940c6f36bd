import BrowserSessions
import Foundation
import StorageEngines
import Synchronization
import TestSupport

/// Stores that the tool has filled with sessions, one for each backend and its options of `import`.
/// They stay closed: tests open copies. They go with the folder of the whole run.
final class FilledStores: Sendable {
    private let sessions: String
    private let folder = NSTemporaryDirectory() + "sessionctl-filled-" + UUID().uuidString
    private let made = Mutex<[[String]: String]>([:])

    init(with sessions: String) { self.sessions = sessions }

    /// Where the files of such a store are.
    func path(of backend: String, _ options: [String]) throws -> String {
        try made.withLock { made in
            let kind = [backend] + options
            if let path = made[kind] { return path }
            try FileSystem.makeDirectories(folder)
            let path = "\(folder)/\(made.count)"
            let outcome = try Tool.run(
                ["import", sessions, "--storage", "\(backend)://\(path)"] + options)
            guard outcome.status == 0 else {
                throw StorageError(.failed, "import failed: \(outcome.messages)")
            }
            made[kind] = path
            return path
        }
    }
}
