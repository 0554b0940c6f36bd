#if os(Linux)
    import BrowserSessions
    import Expectations
    import Foundation
    import StorageEngines
    import TestSupport
    import Testing

    /// Locks of a process go when it closes any file that has them: a reader in it must open none.
    struct ReaderLockTests {
        @Test(
            "The owner in the same process keeps all its locks",
            arguments: TestedEngine.withDirectory)
        func locks(tested: TestedEngine) async throws {
            let fixture = try ReaderFixture(tested.engine)
            let owner = try fixture.own()
            _ = try await owner.save(Sample.step(1))
            let locks = try HeldLocks(of: fixture)
            expect(try locks.areHeld)
            let reader = try fixture.read()
            expect(try locks.areHeld)
            try await reader.close()
            expect(try locks.areHeld)
            try await owner.close()
            expect(try !locks.areHeld)
        }
    }

    /// The locks of the owner of a store: that of the store, and those of the engine's library.
    ///
    /// A file stays open for as long as this lives, because closing it would drop the locks that this
    /// process has on it.
    private final class HeldLocks {
        private let store: PosixDirectory
        private let file: PosixFile?

        init(of fixture: ReaderFixture) throws {
            store = try PosixDirectory(opening: fixture.location)
            let names = ["sqlite": "sessions.db", "leveldb": "db/LOCK"]
            file = try names[fixture.engine.name].map {
                try PosixFile(opening: "\(fixture.location)/regular/\($0)", flags: O_RDWR)
            }
        }

        var areHeld: Bool {
            get throws {
                if try store.lock() {
                    store.unlock()
                    return false
                }
                guard let file else { return true }
                var lock = flock()
                lock.l_type = Int16(F_WRLCK)
                // Locks of the process conflict with one of an open file.
                let query: Int32 = 36
                guard fcntl(file.raw, query, &lock) == 0 else {
                    throw StorageError(.failed, "the locks cannot be examined")
                }
                return Int32(lock.l_type) != F_UNLCK
            }
        }
    }
#endif
