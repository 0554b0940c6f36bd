import BackendSelection
import BrowserSessions
import DirectoryBackend

@testable import StorageBenchmark

/// A store with one fault over a sound one.
struct FaultyStorage: StorageDecorator {
    enum Fault: String, Sendable, CaseIterable {
        /// Forgets the last tab of a window.
        case forgetsTab
        /// Gives back other bytes.
        case changesState
        /// Deletes nothing.
        case keepsIncognito
        /// Says after some saves that the disk is full.
        case fullDisk
    }

    let base: any SessionStorage
    let fault: Fault

    static func contestant(_ fault: Fault) -> Contestant {
        Contestant(name: ContestantName(fault.rawValue), role: .backend, summary: "") {
            location throws(StorageError) in
            // Keys that no one deletes would stay in the user's keyring.
            let configuration = StorageConfiguration(
                location: location, options: ["incognitoKeys": .text("file")])
            return FaultyStorage(
                base: try StorageBackend.directory.openBlocking(configuration), fault: fault)
        }
    }

    func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
        -> [RestoredSession]
    {
        var found = try await base.restore(ids, at: version)
        for index in found.indices where fault == .forgetsTab && !found[index].tabs.isEmpty {
            found[index].tabs.removeLast()
        }
        return found
    }

    func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
        -> [TabStateKey: [UInt8]]
    {
        var found = try await base.states(of: keys, at: version)
        if fault == .changesState, let key = found.keys.first { found[key] = [1] }
        return found
    }

    func save(_ changes: SessionChanges, durability: Durability) async throws(StorageError)
        -> SaveReceipt
    {
        let receipt = try await base.save(changes, durability: durability)
        if fault == .fullDisk, receipt.sequence > 8 {
            throw StorageError(.outOfSpace, "no space is left", operation: "save")
        }
        return receipt
    }

    func deleteIncognito() async throws(StorageError) {
        if fault != .keepsIncognito { try await base.deleteIncognito() }
    }
}
