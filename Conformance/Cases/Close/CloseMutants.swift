import BrowserSessions
import Synchronization

extension Mutant {
    static let close: [Mutant] = [
        Mutant("closes-once", breaks: "CLOSE-1", says: "the second close threw") {
            ClosesOnce(base: $0)
        }
    ]
}

/// Takes a second close for a mistake.
private final class ClosesOnce: StorageDecorator {
    let base: any SessionStorage
    private let isClosed = Mutex(false)

    init(base: any SessionStorage) { self.base = base }

    func close() async throws(StorageError) {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if wasClosed { throw StorageError(.closed, "closed already", operation: "close") }
        try await base.close()
    }
}
