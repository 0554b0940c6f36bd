import BrowserSessions
import Foundation
import LocalFiles
import StorageEngines

/// A folder of its own that is gone when it goes out of scope, with the keys that its stores have in
/// the user's keyring in the kernel, which holds at most 200 for an ordinary user.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Parameter inMemory: whether the folder should be on a file system in memory if there is
    ///   one: for tests that open thousands of stores.
    public init(inMemory: Bool = false) {
        let memory = "/dev/shm"
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory)
        let parent = isThere ? memory + "/" : NSTemporaryDirectory()
        path = parent + "browser-sessions-test-" + UUID().uuidString
        try? FileSystem.makeDirectory(path)
    }

    deinit {
        KeyringKeys.remove(ofStoresAt: path)
        try? FileSystem.remove(path)
    }

    public func file(_ name: String) -> String { "\(path)/\(name)" }
}
