/// The sources of the new package: an engine with everything except an implementation.
extension NewPackage {
    private var type: String { names.type }

    var backend: String {
        """
        public import BrowserSessions
        import StorageEngines

        extension StorageBackend {
            /// The backend, for a host's list of backends.
            ///
            /// Incognito sessions are not encrypted this way. An initializer of the product
            /// IncognitoEncryption seals them: `StorageBackend(name:summary:options:sealedWith:engine:)`.
            public static let \(names.member) = StorageBackend(
                name: "\(names.backend)",
                // One line for people who choose a backend.
                summary: "keeps sessions in …",
                // Options in addition to the common ones. Read them from the configuration.
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

        /// An engine that opens stores in directories.
        ///
        /// The engine is an ordered map of bytes. `OrderedSessionStorage` does everything else: locks,
        /// change sets, checksums, incognito and recovery.
        struct \(type)Engine: FileEngine {
            /// The backend's name, which is written into every store.
            let name = "\(names.backend)"

            /// The version of the file format. Raise it if older versions of this engine cannot read the
            /// new files.
            let formatVersion = 1

            /// The abilities of the engine.
            ///
            /// The greatest durability of a save is `.memory` without a medium, `.processCrash` if nothing
            /// is ever synced, and `.powerLoss` if `write` and `sync` keep their promises. The limits are
            /// those of the engine's library for values and transactions.
            ///
            /// While `findsDamage` is `false`, the store keeps checksums of the engine's files, and the
            /// engine never opens a damaged file. Change it to `true` when the engine detects damage itself.
            let abilities = EngineAbilities(
                durability: .powerLoss, limits: .none, findsDamage: false)

            /// Returns whether files with these names may be of this engine. They are in the directory of a
            /// store that has lost its `store.json`.
            func recognizes(_ names: [String]) -> Bool { false }

            /// Opens the records in a directory that is empty or was filled by this engine.
            ///
            /// A store that was not closed, because its process was killed, opens like any other. The
            /// directory can be moved while the store is open: use names of files in it, or its
            /// `pathForLibraries` while you keep it.
            ///
            /// If opening cuts off an unfinished write, check `request.wasClosed` first: in a store that was
            /// closed, an unfinished write is damage. Before opening changes any file, call
            /// `request.willChange()`.
            ///
            /// To recover damaged files, the store opens a copy of them and reads all records that it can.
            /// An engine that can read more conforms to `SalvagingFileEngine`.
            ///
            /// - Throws: `StorageError(.corrupted, …)` if files are damaged, without changing them. Other
            ///   problems, such as a lock, missing permissions or a full disk, never have this code.
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

        /// An open store. It is used by one caller at a time, so it needs no lock, but not always on the
        /// same thread.
        ///
        /// A `StorageError` reaches the caller unchanged; other errors become `.failed`. For damaged data,
        /// throw `.corrupted`: never report it as absent.
        final class \(type)Store: OrderedByteStore {
        \(storeCalls)
        }

        """
    }

    private var storeCalls: String {
        """
            /// Returns the value of a key; `nil` if there is none.
            func value(of key: [UInt8], in space: KeySpace) throws -> [UInt8]? {
                throw Self.missing("value")
            }

            /// Visits the records with keys that begin with `prefix`, in ascending order of the key's bytes.
            /// The key and the value have to be valid during the visit only. Read no other records.
            func scan(
                _ space: KeySpace, prefix: [UInt8],
                _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
            ) throws {
                throw Self.missing("scan")
            }

            /// Applies all operations of the batch or none.
            ///
            /// When it returns, the batch survives the end of the process. If `durably`, it and every
            /// earlier batch survive a power cut. A batch never survives without the earlier ones. When it
            /// throws, the store is unchanged; if that cannot be promised, throw an error with the effect
            /// `.indeterminate`, after which nothing more is written.
            ///
            /// Keys have 1 to 256 bytes. Values have at most the store's `maximumStateBytes`, or 1 MiB if
            /// that is more, and some additional bytes.
            func write(_ batch: ByteBatch, durably: Bool) throws {
                throw Self.missing("write")
            }

            /// Makes every earlier batch survive a power cut.
            func sync() throws { throw Self.missing("sync") }

            /// Whether `maintain` has work to do.
            var wantsMaintenance: Bool { false }

            /// Does work that need not be part of a save, such as compaction, for some milliseconds.
            func maintain() throws { throw Self.missing("maintain") }

            /// Checks the files, and returns the engine's findings without content; `[]` if there are none.
            func verify() throws -> [String] { throw Self.missing("verify") }

            /// The findings of opening that are not damage, such as the bytes of an unfinished write.
            var openingNotes: [String] { [] }

            /// Releases all resources. A store with files that are no longer needed may be released without
            /// this call, and must then close its handles in `deinit`.
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
            /// The suite's access to stores. `persistence` states where a store is kept:
            ///
            /// - `.files`: in the files of its directory;
            /// - `.elsewhere`: permanently, but not in files, for example by a server;
            /// - `.process`: until the process ends;
            /// - `.opened`: until it is closed.
            ///
            /// If stores are not directories, write a type that conforms to `StorageHarness` instead.
            static let \(names.member) = BackendHarness(.\(names.member), persistence: .files)
        }

        """
    }

    var test: String {
        """
        import StorageConformance
        import Testing

        /// Checks every requirement of the contract, and prints those that do not apply to the backend.
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
