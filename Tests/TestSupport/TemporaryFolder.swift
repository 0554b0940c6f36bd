import BrowserSessions
import Foundation
import StorageEngines

/// A folder of its own that is gone when it goes out of scope, with the keys that its stores have in
/// the user's keyring in the kernel, which holds at most 200 for an ordinary user.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// A file system in memory; `nil` if there is none.
    public static let memory =
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil

    /// - Parameter inMemory: whether the folder should be on a file system in memory if there is
    ///   one: for tests that open thousands of stores.
    public init(inMemory: Bool = false) {
        let parent = inMemory ? Self.memory : nil
        path =
            (parent.map { $0 + "/" } ?? NSTemporaryDirectory()) + "browser-sessions-test-"
            + UUID().uuidString
        try? FileSystem.makeDirectory(path)
    }

    deinit {
        KeyringKeys.remove(ofStoresAt: path)
        try? FileSystem.remove(path)
    }

    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, with the folders above it, and returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let url = URL(filePath: file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
    }

    public func remove(_ name: String) throws { try FileSystem.remove(file(name)) }
}

extension FileSystem {
    /// The paths of all files below a folder, with their bytes.
    public static func files(in folder: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in try contents(of: folder) {
            let file = "\(folder)/\(name)"
            if try status(file)?.kind == .directory {
                found.merge(try files(in: file)) { $1 }
            } else {
                found[file] = try read(file)
            }
        }
        return found
    }
}
