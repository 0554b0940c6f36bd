import BackendSelection
import BrowserSessions
import Foundation
import StorageEngines
import TestSupport
import ToolSupport

/// A folder of its own for stores and files, gone when it goes out of scope.
final class Workspace: Sendable {
    static let backends = ["directory", "sqlite", "leveldb"]
    /// For what the tool does alike with any store: that backends are alike is the suite's matter.
    static let triedBackends = TestRun.isNightly ? backends : ["sqlite"]

    private let folder = TemporaryFolder()

    var path: String { folder.path }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func text(_ name: String) throws -> String {
        String(decoding: try FileSystem.read(file(name)), as: UTF8.self)
    }

    /// The argument that names a store in this folder.
    func store(_ backend: String, _ name: String = "profile") -> String {
        "\(backend)://\(file(name))"
    }

    /// A store with the sample sessions of all formats: a copy of one that the tool filled once.
    func imported(_ backend: String, _ name: String = "profile", _ more: [String] = []) throws
        -> String
    {
        try FileSystem.copy(Self.filled.path(of: backend, more), to: file(name))
        return store(backend, name)
    }

    private static let filled = FilledStores(with: sample)

    static let sample = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "SessionInteropTests/Fixtures/Sample").path
}

extension [UInt8] {
    /// Where a text begins in the bytes.
    func positions(of text: String) -> [Int] {
        let wanted = [UInt8](text.utf8)
        guard let first = wanted.first else { return [] }
        return indices.filter {
            self[$0] == first && $0 + wanted.count <= count
                && self[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }
}

extension Workspace {
    /// A store with just these changes, as the argument that names it.
    func store(holding changes: SessionChanges) async throws -> String {
        let store = store("directory")
        try await withStore(store) { store in _ = try await store.save(changes) }
        return store
    }

    /// Changes a byte wherever the text is in the regular files of a store. Returns how often it was there.
    @discardableResult
    func harm(_ text: String, in store: String = "profile") throws -> Int {
        var count = 0
        for (file, bytes) in try FileSystem.files(in: self.file("\(store)/regular")) {
            var bytes = bytes
            for position in bytes.positions(of: text) {
                bytes[position + 3] ^= 0x20
                count += 1
            }
            try FileSystem.replace(file, with: bytes)
        }
        return count
    }

    /// Opens the store that an argument names, in this process.
    func withStore<Result>(
        _ argument: String, _ work: (any SessionStorage) async throws -> Result
    ) async throws -> Result {
        let request = SelectionRequest(
            storage: argument, environment: [:], workingDirectory: path)
        return try await withOpen(request.resolve(registry: .tool()), work)
    }
}
