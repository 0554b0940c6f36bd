import BrowserSessions

/// A harness that opens stores without the prior check of options by a ``StorageBackend``, for
/// faults in the use of options that would otherwise never show.
struct UncheckedHarness: StorageHarness {
    var base: BackendHarness
    let opening: @Sendable (StorageConfiguration) throws -> any SessionStorage

    var name: String { base.name }
    var label: String { base.label }
    var persistence: HarnessPersistence { base.persistence }
    var options: [StorageOption] { base.options }
    var child: ChildCommand? { base.child }

    func makeLocation() async throws -> String { try await base.makeLocation() }

    func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        var whole = configuration
        whole.options.merge(base.baseOptions) { given, _ in given }
        // Nothing is left to check, and the work does not block the pool.
        let backend = StorageBackend(name: name, summary: "") {
            [whole] _ throws(StorageError) in
            try StorageError.typing { try opening(whole) }
        }
        return try await backend.open(StorageConfiguration(location: whole.location))
    }

    func removeLocation(_ location: String) async throws {
        try await base.removeLocation(location)
    }
}
