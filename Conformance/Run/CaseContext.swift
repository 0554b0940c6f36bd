import BrowserSessions
import SessionSamples
import Synchronization

/// What a case gets: stores at locations of its own, a seed, a place for its measurements.
final class CaseContext: Sendable {
    let testCase: ConformanceCase
    let harness: any StorageHarness
    /// What the stores of the harness claim.
    let traits: StorageTraits
    /// Everything that a case chooses at random comes from it.
    let seed: UInt64
    private let state = Mutex(State())

    private struct State {
        var locations: [String] = []
        var notes: [String] = []
    }

    init(
        _ testCase: ConformanceCase, _ harness: any StorageHarness, traits: StorageTraits,
        seed: UInt64
    ) {
        self.testCase = testCase
        self.harness = harness
        self.traits = traits
        self.seed = seed
    }

    /// A sampler for the seed, always the same.
    var sampler: SessionSampler { SessionSampler(seed: seed) }

    /// Random numbers for the seed, always the same.
    var generator: SeededGenerator { SeededGenerator(seed: seed) }

    /// A location with nothing at it, removed after the case.
    func makeLocation() async throws -> String {
        let location = try await harness.makeLocation()
        state.withLock { $0.locations.append(location) }
        return location
    }

    /// Opens the store at a location.
    func open(_ location: String, options: [String: OptionValue] = [:]) async throws
        -> any SessionStorage
    {
        try await harness.open(StorageConfiguration(location: location, options: options))
    }

    /// A new store at a new location.
    func openNew(options: [String: OptionValue] = [:]) async throws -> any SessionStorage {
        try await open(try await makeLocation(), options: options)
    }

    /// Closes the store and opens the one at the location.
    func reopen(_ store: any SessionStorage, at location: String) async throws
        -> any SessionStorage
    {
        try await store.close()
        return try await open(location)
    }

    /// Adds a measurement to the report: one sentence without content of sessions.
    func note(_ sentence: String) { state.withLock { $0.notes.append(sentence) } }

    var notes: [String] { state.withLock { $0.notes } }

    /// Starts a worker in another process.
    func startChild(
        _ worker: String, at location: String = "", seed: UInt64? = nil,
        options: [String: String] = [:]
    ) throws -> ChildProcess {
        guard let command = harness.child else {
            throw HarnessFault("the harness cannot start a process")
        }
        let order = ChildOrder(
            worker: worker, caseID: testCase.id, harness: harness.label, location: location,
            seed: seed ?? self.seed, options: options)
        return try ChildProcess(command, order)
    }

    /// Removes all locations. Incognito is deleted first where that is possible, so that no key is
    /// left behind.
    func cleanUp() async throws {
        let locations = state.withLock { state in
            defer { state.locations = [] }
            return state.locations
        }
        for location in locations { try await cleanUp(location) }
    }

    /// The same for one location before the end of a case that needs many.
    func remove(_ location: String) async throws {
        state.withLock { $0.locations.removeAll { $0 == location } }
        try await cleanUp(location)
    }

    private func cleanUp(_ location: String) async throws {
        if traits.incognitoSealing != nil,
            let store = try? await open(location, options: ["create": .bool(false)])
        {
            try? await store.deleteIncognito()
            try? await store.close()
        }
        try await harness.removeLocation(location)
    }
}
