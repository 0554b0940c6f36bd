import BrowserModel
import BrowserSessions
import DirectoryBackend
import Expectations
import RestorePlans
import SessionTesting
import TestSupport

@testable import SessionRestoration

/// Hosts over a store that takes restore points.
extension Host {
    /// A host that shows all structure, over a store in a folder that may have something.
    ///
    /// - Parameters:
    ///   - prepare: what somebody else does to the store before.
    ///   - windows: what is opened.
    static func ofPoints(
        in folder: TemporaryFolder, opening windows: WindowsToRestore = .allThatWereOpen,
        prepare: (any SessionStorage) async throws -> Void = { _ in }
    ) async throws -> Host {
        let store = try await StorageBackend.directory.open(
            StorageConfiguration(location: folder.file("store")))
        try await prepare(store)
        let host = Host(storage: FaultyStorage(store))
        host.windows.structureRules = .everything
        try await host.restorer.restore(windows)
        return host
    }

    /// Saves, and finds the store to have what the model has; then the process ends.
    func endSaved(file: String = #fileID, line: Int = #line) async throws {
        try await restorer.save()
        try await expectSaved(file: file, line: line)
        try await end()
    }

    /// The process ends, and gives up the store.
    func end() async throws {
        try await restorer.close()
        try await storage.close()
    }

    /// Keeps the present state.
    func point() async throws -> RestorePointID {
        try await restorer.history.takeRestorePoint(name: "then", pinned: true).id
    }

    /// Goes back by the lines that are not struck out, saves, and finds the store to have what the model has.
    @discardableResult
    func goBack(
        to point: RestorePointID, _ mode: RestorePlan.Mode = .merge,
        file: String = #fileID, line: Int = #line,
        striking isStruck: (RestorePlan.Line) -> Bool = { _ in false }
    ) async throws -> RestorePlanResult {
        var plan = try await restorer.history.plan(at: point, mode: mode)
        plan.strike(plan.lines.filter(isStruck).map(\.id))
        let result = try await restorer.history.apply(plan)
        try await restorer.save()
        try await expectSaved(file: file, line: line)
        return result
    }

    /// What the store has is what the model has, in one place each.
    func expectSaved(file: String = #fileID, line: Int = #line) async throws {
        expect(restorer.isSaved, file: file, line: line)
        var seen: Set<NodeID> = []
        for id in try await storage.sessions() {
            guard let session = try await stored(id) else { continue }
            for node in session.tabs.map({ NodeID($0.id) }) + session.nodes.map(\.id) {
                expect(seen.insert(node).inserted, file: file, line: line)
            }
        }
        for window in windows.windows {
            let stored = try await stored(window.sessionID)
            expect(stored?.tabs ?? [], is: window.tabs.map(\.metadata), file: file, line: line)
            expect(stored?.nodes ?? [], is: window.tabs.nodes, file: file, line: line)
        }
    }
}
