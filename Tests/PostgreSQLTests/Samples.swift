#if PostgreSQL
    import BrowserSessions
    @testable import PostgreSQLBackend
    import StorageEngines
    import Expectations

    /// A window, as the tests save it.
    enum Samples {
        static let id = SessionID(window: WindowID(high: 1, low: 1))

        /// A window with the first tabs of so many.
        static func window(tabs: Int, of most: Int = 6) -> SessionChanges {
            var changes = SessionChanges()
            changes.put(SessionAttributes(title: "Window"), for: id)
            for (number, place) in OrderKey.evenlySpaced(count: most).enumerated() {
                guard number < tabs else {
                    changes.remove(tab(number), from: id)
                    continue
                }
                changes.put(
                    TabMetadata(
                        id: tab(number), place: place, url: "https://example.org/\(number)"),
                    in: id)
            }
            return changes
        }

        static func tab(_ number: Int) -> TabID { TabID(high: 2, low: UInt64(number)) }

        static func state(_ number: Int) -> TabStateKey {
            TabStateKey(tab: tab(number), name: .native, in: id)
        }

        /// Bytes that tell one blob from another, and each place from the next.
        static func blob(_ number: Int, bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8 ^ number) }
        }
    }

    extension StorageBackend {
        /// The error with which it does not open a store.
        func refusal(
            of configuration: StorageConfiguration, file: String = #fileID, line: Int = #line
        ) async -> StorageError? {
            await expect(throws: StorageError.self, file: file, line: line) {
                _ = try await open(configuration)
            }
        }
    }

    extension SessionStorage {
        /// How many tabs the window of the tests has; `nil` without the window.
        func tabs() async throws(StorageError) -> Int? {
            try await restore(Samples.id)?.tabs.count
        }

        @discardableResult
        func save(tabs: Int, of most: Int = 6) async throws(StorageError) -> SaveReceipt {
            try await save(Samples.window(tabs: tabs, of: most))
        }
    }

    extension StoreEnvironment {
        /// The system's, with another timeout.
        static func patient(_ timeout: Duration) -> StoreEnvironment {
            var environment = StoreEnvironment.system
            environment.timeout = timeout
            return environment
        }
    }

    /// The error that a call throws; recorded as an issue if there is none.
    func failure(
        of call: () async throws(StorageError) -> Void, file: String = #fileID, line: Int = #line
    ) async -> StorageError? {
        await expect(throws: StorageError.self, file: file, line: line) { try await call() }
    }
#endif
