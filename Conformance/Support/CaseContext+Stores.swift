import BrowserSessions

extension CaseContext {
    /// Opens a new store for the work, and closes it afterward in any case.
    func withNewStore(
        options: [String: OptionValue] = [:], _ work: (any SessionStorage) async throws -> Void
    ) async throws {
        try await withStore(at: try await makeLocation(), options: options, work)
    }

    /// Does the first work with a new store, closes it, and does the second work with the store
    /// opened again.
    func reopening(
        _ first: (any SessionStorage) async throws -> Void,
        then second: (any SessionStorage) async throws -> Void
    ) async throws {
        let location = try await makeLocation()
        try await withStore(at: location, first)
        try await withStore(at: location, second)
    }

    /// Makes a closed store with a window in each partition: the tabs 0 to 3 and 4 to 6.
    func closedStore() async throws -> String {
        let location = try await makeLocation()
        try await withStore(at: location) { store in
            _ = try await store.save(Plain.window(1, tabs: 0..<4).changes)
            _ = try await store.save(Plain.window(1, tabs: 4..<7, kind: .incognito).changes)
        }
        return location
    }

    /// Opens the store at a location for the work, and closes it afterward in any case.
    func withStore(
        at location: String, options: [String: OptionValue] = [:],
        _ work: (any SessionStorage) async throws -> Void
    ) async throws {
        let store = try await open(location, options: options)
        do {
            try await work(store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }
}
