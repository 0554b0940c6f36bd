/// The sources of the new package: an engine with everything except an implementation.
extension NewPackage {
    private var type: String { names.type }

    var backend: String {
        """
        public import BrowserSessions
        import StorageEngines

        extension StorageBackend {
            /// What hosts list among the backends that they can use.
            ///
            /// Incognito sessions lie in the clear this way. Another initializer, of the product
            /// IncognitoEncryption, seals them: `StorageBackend(name:summary:options:sealedWith:engine:)`.
            public static let \(names.member) = StorageBackend(
                name: "\(names.backend)",
                // One line for people who choose between backends.
                summary: "keeps sessions in …",
                // Options beside those that every backend has; read them from the configuration.
                options: [],
                remove: { configuration throws(StorageError) in
                    try OrderedSessionStorage.remove(configuration, engine: \(type)Engine())
                }
            ) { configuration throws(StorageError) in
                try OrderedSessionStorage(opening: configuration, engine: \(type)Engine())
            }
        }

        """
    }

    var engine: String {
        """
        import BrowserSessions
        import StorageEngines

        /// Opens stores in directories.
        ///
        /// What makes a backend of it is done by `OrderedSessionStorage`: locks, change sets, checksums,
        /// incognito, recovery. The engine keeps bytes under bytes, in order.
        struct \(type)Engine: FileEngine {
            /// The backend's name, written into every store.
            let name = "\(names.backend)"

            /// Raise it when older versions of this engine could not read the files any more.
            let formatVersion = 1

            /// What the engine can do. The most that a save survives is `.memory` without a medium,
            /// `.processCrash` if nothing is ever synced, `.powerLoss` if `write` and `sync` keep what they
            /// promise. Limits are what the engine's library says of values and transactions.
            ///
            /// As long as `findsDamage` is `false`, the store keeps checksums of the engine's files and shows
            /// it none that are damaged. Say `true` once the engine notices damage by itself.
            let abilities = EngineAbilities(
                durability: .powerLoss, limits: .none, findsDamage: false)

            /// Whether a directory with these files may be one of this engine's, of a store that has lost
            /// its `store.json`.
            func recognizes(_ names: [String]) -> Bool { false }

            /// Opens the records in a directory that exists and is empty, or was filled by this engine. A
            /// store that was not closed, because its process was killed, opens like any other. The
            /// directory may be moved while the store is open: use names in it, or its
            /// `pathForLibraries` as long as you hold it.
            ///
            /// Throw `StorageError(.corrupted, …)` if files are damaged, and change nothing then. Never
            /// call anything else corrupted: a lock, missing rights, a full disk.
            ///
            /// If opening cuts off the end of a write that never ended, look at `request.wasClosed`: of a store
            /// that was closed such an end is damage to be reported. If opening writes files at all, call
            /// `request.willChange()` before it does.
            ///
            /// Of damaged files a copy is opened and read as far as it goes. An engine that can read more
            /// is a `SalvagingFileEngine`.
            func open(_ request: OpenRequest) throws -> any OrderedByteStore {
                throw StorageError(.unsupported, "\(type)Engine.open is not written yet")
            }
        }

        """
    }

    var store: String {
        """
        import BrowserSessions
        import StorageEngines

        /// An open store. One caller at a time uses it, so it needs no lock; not always on the same
        /// thread.
        ///
        /// Errors that are a `StorageError` reach the caller as they are, others become `.failed`. Damage
        /// is thrown as `.corrupted`, never answered as absence.
        final class \(type)Store: OrderedByteStore {
        \(storeCalls)
        }

        """
    }

    private var storeCalls: String {
        """
            /// The value of a key; `nil` if there is none.
            func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
                throw Self.missing("value")
            }

            /// Visits the records whose key begins with `prefix`, ascending by the bytes of the key. What
            /// is handed over need be valid during the visit only. Read no more than that.
            func scan(
                _ space: KeySpace, prefix: [UInt8],
                _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
            ) throws {
                throw Self.missing("scan")
            }

            /// Applies all operations of the batch or none. When it returns, the batch survives the end
            /// of the process; if `durably`, it and every earlier one survive a power cut. No batch ever
            /// survives without the earlier ones. When it throws, the store is as before; if that cannot
            /// be promised, every later write throws `.durabilityLost`.
            ///
            /// Keys have 1 to 256 bytes. Values have up to the store's `maximumStateBytes`, or 1 MiB if
            /// that is more, and some bytes around them.
            func write(_ batch: ByteBatch, durably: Bool) throws {
                throw Self.missing("write")
            }

            /// Makes every earlier batch survive a power cut.
            func sync() throws { throw Self.missing("sync") }

            /// Whether `maintain` has something to do.
            var wantsMaintenance: Bool { false }

            /// Work that need not be done within a save, such as compaction; takes milliseconds.
            func maintain() throws { throw Self.missing("maintain") }

            /// What the engine itself can find wrong with its files, without content; `[]` if all is well.
            func verify() throws -> [String] { throw Self.missing("verify") }

            /// What opening noticed that is no damage, such as the bytes of a write that never ended.
            var openingNotes: [String] { [] }

            /// Releases everything. A store may also be let go without it, when its files are of no use
            /// any more; it must then release its handles in `deinit`.
            func close() throws { throw Self.missing("close") }

            private static func missing(_ call: String) -> StorageError {
                StorageError(.unsupported, "\(type)Store.\\(call) is not written yet")
            }
        """
    }

    var harness: String {
        """
        import \(names.module)
        import StorageConformance

        extension BackendHarness {
            /// How the suite gets at stores. Say in `persistence` what is true of them:
            ///
            /// - `.files`: a store is the files in its directory;
            /// - `.elsewhere`: it is kept for ever, but not as files, for instance by a server;
            /// - `.process`: it is gone with the process; `.opened`: it is gone when it is closed.
            ///
            /// Stores that are no directories need a type of their own that conforms to `StorageHarness`.
            static let \(names.member) = BackendHarness(.\(names.member), persistence: .files)
        }

        """
    }

    var test: String {
        """
        import StorageConformance
        import Testing

        /// Every requirement of the contract. What does not apply to the backend is said.
        @Test(arguments: ConformanceSuite.cases)
        func conforms(_ testCase: ConformanceCase) async throws {
            let verdict = try await testCase.check(BackendHarness.\(names.member))
            if case .notApplicable(let capability) = verdict {
                print("\\(testCase) does not apply: it needs \\(capability.rawValue)")
                try Test.cancel("needs \\(capability.rawValue)")
            }
        }

        """
    }
}
