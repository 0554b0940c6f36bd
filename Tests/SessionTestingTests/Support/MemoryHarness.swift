import BrowserSessions
import SessionTesting
import StorageConformance
import StorageEngines
import Synchronization

/// Stores in memory by the names of locations; what they hold is there as long as the harness.
final class MemoryHarness: StorageHarness {
    let name = "memory"
    let persistence = HarnessPersistence.process
    let options: [StorageOption] = []
    let child: ChildCommand?
    private let stores = Mutex<[String: MemoryStorage]>([:])
    private let lastNumber = Mutex(0)
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
        lastNumber.withLock { number in
            number += 1
            return "memory \(number)"
        }
    }

    func open(_ configuration: StorageConfiguration) async throws(StorageError)
        -> any SessionStorage
    {
        try configuration.validate(against: StorageOption.common, of: name)
        let isTooMuch =
            configuration.options["durability"] != nil && configuration.defaultDurability > .memory
        if isTooMuch {
            throw StorageError(
                .invalidConfiguration, "the option 'durability' asks for more than .memory",
                operation: "open")
        }
        guard configuration.access == .readWrite else {
            throw StorageError(.unsupported, "it is always written to", operation: "open")
        }
        let limit = configuration.maximumStateBytes
        return try stores.withLock { stores throws(StorageError) in
            let old = stores[configuration.location]
            if old?.isClosed == false {
                throw StorageError(.locked, "this process has the store open", operation: "open")
            }
            guard old != nil || configuration.mayCreate else {
                throw StorageError(.notFound, "there is no store here", operation: "open")
            }
            let store =
                old?.reopened(maximumStateBytes: limit) ?? MemoryStorage(maximumStateBytes: limit)
            stores[configuration.location] = store
            return wrap(store)
        }
    }

    func removeLocation(_ location: String) async throws {
        stores.withLock { $0[location] = nil }
    }
}
