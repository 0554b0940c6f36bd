import BrowserSessions
import StorageConformance
import StorageEngines
import Synchronization

@testable import SessionTesting

/// Stores in memory by the names of locations; what they hold is there as long as the harness.
final class MemoryHarness: StorageHarness {
    let name = "memory"
    let persistence = HarnessPersistence.process
    let options: [StorageOption] = []
    let child: ChildCommand?
    private let engines = Mutex<[String: MemoryEngine]>([:])
    private let lastNumber = Atomic(0)
    private let wrap: @Sendable (MemoryStorage) -> any SessionStorage

    /// - Parameters:
    ///   - child: runs a case again in a process of its own, where nothing else opens
    ///     files; `nil` runs it here.
    ///   - wrap: what is judged instead of the store itself.
    init(
        child: ChildCommand?,
        _ wrap: @escaping @Sendable (MemoryStorage) -> any SessionStorage = { $0 }
    ) {
        (self.child, self.wrap) = (child, wrap)
    }

    func makeLocation() async throws -> String {
        "memory \(lastNumber.wrappingAdd(1, ordering: .relaxed).newValue)"
    }

    func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try configuration.validate(against: StorageOption.common, of: name)
        let engine = engines.withLock { engines in
            let engine = engines[configuration.location] ?? MemoryEngine()
            engines[configuration.location] = engine
            return engine
        }
        let store = try OrderedSessionStorage(opening: configuration, engine: engine)
        return wrap(MemoryStorage(engine, store))
    }

    func removeStore(_ configuration: StorageConfiguration) async throws(StorageError) -> Bool {
        guard let engine = engines.withLock({ $0[configuration.location] }) else { return false }
        return try OrderedSessionStorage.remove(configuration, engine: engine)
    }

    func removeLocation(_ location: String) async throws {
        engines.withLock { $0[location] = nil }
    }
}
