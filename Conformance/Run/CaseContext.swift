import BrowserSessions
import SessionSamples
import StorageEngines
import Synchronization

/// What a case gets: stores at its own locations, a seed, and a record of measurements.
final class CaseContext: Sendable {
    let testCase: ConformanceCase
    let harness: any StorageHarness
    /// What the stores of the harness claim.
    let traits: StorageTraits
    /// The source of all random choices of a case.
    let seed: UInt64
    let depth: SuiteDepth
    private let state = Mutex(State())

    private struct State {
        var locations: [(path: String, name: String)] = []
        var notes: [String] = []
        var scores: [SalvageScore] = []
    }

    init(
        _ testCase: ConformanceCase, _ harness: any StorageHarness, traits: StorageTraits,
        seed: UInt64, depth: SuiteDepth
    ) {
        self.testCase = testCase
        self.harness = harness
        self.traits = traits
        self.seed = seed
        self.depth = depth
    }

    /// Returns how many of something to try, which is fewer in a quick run.
    ///
    /// - Parameter long: the amount in a long run; `nil` means the same as in a full run.
    func amount(_ quick: Int, full: Int, long: Int? = nil) -> Int {
        switch depth {
        case .quick: quick
        case .full: full
        case .long: long ?? full
        }
    }

    /// A sampler that always starts from the seed.
    var sampler: SessionSampler { SessionSampler(seed: seed) }

    /// A random number generator that always starts from the seed.
    var generator: SeededGenerator { SeededGenerator(seed: seed) }

    /// Returns an empty location, which is removed after the case.
    ///
    /// - Parameter name: its name where the stores of a failed case are kept.
    func makeLocation(_ name: String = "store") async throws -> String {
        let location = try await harness.makeLocation()
        state.withLock { $0.locations.append((location, name)) }
        CaseProgress.tell(.location(location, name: name))
        return location
    }

    /// Opens the store at a location.
    func open(_ location: String, options: [String: OptionValue] = [:]) async throws
        -> any SessionStorage
    {
        try await harness.open(StorageConfiguration(location: location, options: options))
    }

    /// Opens the store at a location for reading beside its owner.
    func openReader(_ location: String) async throws -> StoreReader {
        try await harness.openReader(StorageConfiguration(location: location))
    }

    /// Copies the store at a location to a folder.
    @discardableResult
    func backUp(_ location: String, to path: String) async throws -> StoreBackup {
        try await harness.backUp(StorageConfiguration(location: location), to: path)
    }

    /// Removes the store at a location; throws ``NotTried`` if the backend cannot remove stores.
    @discardableResult
    func removeStore(_ location: String, options: [String: OptionValue] = [:]) async throws -> Bool
    {
        do {
            return try await harness.removeStore(
                StorageConfiguration(location: location, options: options))
        } catch {
            guard error.code == .unsupported else { throw error }
            throw NotTried("the backend removes no stores")
        }
    }

    /// Opens a new store at a new location.
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

    /// Adds a measurement to the report: one sentence without session content.
    func note(_ sentence: String) { state.withLock { $0.notes.append(sentence) } }

    /// Reports what is tried next, in case that ends the process: `'a.db', cut to 7 bytes`.
    func trying(_ what: String) { CaseProgress.tell(.trying(what)) }

    /// Adds a share of recovered content to the report.
    func score(_ score: SalvageScore) { state.withLock { $0.scores.append(score) } }

    var evidence: Evidence {
        var evidence = Evidence()
        (evidence.notes, evidence.scores) = state.withLock { ($0.notes, $0.scores) }
        return evidence
    }

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

    /// Removes all locations. Deletes incognito first where possible, so that no key is left
    /// behind.
    ///
    /// - Parameter folder: where copies of all of them are kept, in a folder for the case, with the
    ///   keys of their incognito partitions.
    /// - Returns: the folder of the case; `nil` if nothing was kept.
    func cleanUp(keepingIn folder: String? = nil) async throws -> String? {
        let locations = state.withLock { state in
            defer { state.locations = [] }
            return state.locations
        }
        let kept = try folder.flatMap {
            try Self.keep(locations, of: testCase, harness: harness.label, seed: seed, in: $0)
        }
        for location in locations { try await cleanUp(location.path, hasCopy: kept != nil) }
        return kept
    }

    /// Copies the stores of a case that still runs; returns `nil` if nothing was kept.
    func keepCopies(in folder: String) throws -> String? {
        try Self.keep(
            state.withLock { $0.locations }, of: testCase, harness: harness.label, seed: seed,
            in: folder)
    }

    /// Copies the content at a case's locations into its folder. Returns the folder, or `nil` if
    /// there is no content.
    static func keep(
        _ locations: [(path: String, name: String)], of testCase: ConformanceCase,
        harness: String, seed: UInt64, in folder: String
    ) throws -> String? {
        let name = testCase.id.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" }
        let own = "\(folder)/\(harness)/\(String(name)), seed \(seed)"
        var isKept = false
        for (number, location) in locations.enumerated()
        where try FileSystem.status(location.path)?.kind == .directory {
            let copy = "\(own)/\(number + 1) \(location.name)"
            try FileSystem.makeDirectories(own)
            try FileSystem.remove(copy)
            try FileSystem.copy(location.path, to: copy)
            isKept = true
        }
        return isKept ? own : nil
    }

    /// Removes one location early, for a case that needs many.
    func remove(_ location: String) async throws {
        state.withLock { $0.locations.removeAll { $0.path == location } }
        try await cleanUp(location, hasCopy: false)
    }

    private func cleanUp(_ location: String, hasCopy: Bool) async throws {
        if !hasCopy, let sealing = traits.incognitoSealing {
            if let store = try? await open(location, options: ["create": .bool(false)]) {
                try? await store.deleteIncognito()
                try? await store.close()
            }
            // A store that was damaged does not open, and copies of it are not opened.
            if sealing.keyStore == KeyringKeys.storeName {
                KeyringKeys.remove(ofStoresAt: location)
            }
        }
        try await harness.removeLocation(location)
    }
}
