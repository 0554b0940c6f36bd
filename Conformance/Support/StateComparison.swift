import BrowserSessions

/// Throws a ``Violation`` unless one read of the keys returns exactly these blobs.
func requireStates(
    _ expected: [TabStateKey: [UInt8]], in store: any SessionStorage, _ subject: String
) async throws {
    try requireOnly(expected, try await store.states(of: Array(expected.keys)), subject)
}

/// Throws a ``Violation`` unless the found blobs are exactly the expected ones. Its message holds
/// no bytes of them.
func requireOnly(
    _ expected: [TabStateKey: [UInt8]], _ found: [TabStateKey: [UInt8]], _ subject: String
) throws {
    try require(Set(found.keys).isSubset(of: Set(expected.keys)), "\(subject): too many keys")
    for (key, bytes) in expected {
        let blob = try unwrap(
            found[key], "\(subject): a blob of \(bytes.count) bytes is absent")
        try requireEqual(blob.count, bytes.count, "\(subject): the size of a blob")
        try require(
            blob.equals(bytes), "\(subject): a blob of \(bytes.count) bytes has other bytes")
    }
}

extension CaseContext {
    /// Checks what the work saved at once, and again after reopening if stores can be reopened.
    func reopeningIfPossible(
        _ work: (any SessionStorage) async throws -> Void,
        check: (any SessionStorage) async throws -> Void
    ) async throws {
        let location = try await makeLocation()
        try await withStore(at: location) { store in
            try await work(store)
            try await check(store)
        }
        guard harness.persistence >= .process else { return }
        try await withStore(at: location) { try await check($0) }
    }
}
