#if FaultyBackends
    import BrowserSessions
    import StorageEngines
    import Foundation

    extension FaultyBackend {
        /// Makes a store that behaves differently as soon as it has losses.
        static func onDamage(
            _ name: String, _ message: String,
            _ then:
                @escaping @Sendable (OrderedSessionStorage, StorageConfiguration)
                throws(StorageError)
                -> any SessionStorage
        ) -> FaultyBackend {
            FaultyBackend(name, says: message) { configuration throws(StorageError) in
                let base = try OrderedSessionStorage(
                    opening: configuration, engine: ReferenceEngine())
                guard try base.checkBlocking().losses.isEmpty else {
                    return try then(base, configuration)
                }
                return base
            }
        }
    }

    extension FaultyBackend {
        /// Makes a store that does not report its losses.
        static func swallowingLosses(_ name: String) -> FaultyBackend {
            FaultyBackend(name, says: "states are wrong") { configuration throws(StorageError) in
                SwallowsLosses(base: try ReferenceEngine.open(configuration))
            }
        }
    }

    /// The reference engine with faults in opening and salvaging.
    struct FaultyEngine: SalvagingFileEngine {
        private let faults: ReferenceFaults
        private let base = ReferenceEngine()

        init(_ faults: ReferenceFaults) { self.faults = faults }

        var name: String { base.name }
        var formatVersion: Int { base.formatVersion }
        var abilities: EngineAbilities { base.abilities }

        func recognizes(_ names: [String]) -> Bool { base.recognizes(names) }

        func open(_ request: OpenRequest) throws -> any OrderedByteStore {
            try ReferenceStore(request.directory, wasClosed: request.wasClosed, faults: faults)
        }

        func salvage(_ directory: any FileDirectory, _ visit: RecordVisitor) throws -> [String] {
            if faults.contains(.salvagesNothing) { return [] }
            let isWhole = !faults.contains(.salvagesLittle)
            var count = 0
            return try base.salvage(directory) { space, key, value in
                count += 1
                if isWhole || count.isMultiple(of: 10) { try visit(space, key, value) }
            }
        }
    }

    /// Reports that everything is well.
    struct SwallowsLosses: FalseReporter {
        let base: any SessionStorage

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            (try? await restoreEach(ids, version) { session in
                session.losses = []
                session.provenance = .intact
            }) ?? []
        }

        func sessions() async throws(StorageError) -> [SessionID] {
            (try? await base.sessions()) ?? []
        }

        func states(of keys: [TabStateKey], at version: SessionVersion) async throws(StorageError)
            -> [TabStateKey: [UInt8]]
        {
            (try? await base.states(of: keys, at: version)) ?? [:]
        }

        func alter(_ report: inout RecoveryReport) async {
            report.losses = []
        }
    }

    /// Replaces each lost tab with an empty one.
    struct FillsGaps: StorageDecorator {
        let base: any SessionStorage

        func restore(_ ids: [SessionID], at version: SessionVersion) async throws(StorageError)
            -> [RestoredSession]
        {
            try await restoreEach(ids, version) { session in
                guard let last = session.tabs.last, session.provenance == .salvaged else { return }
                session.tabs.append(
                    TabMetadata(id: .random(), place: last.place, url: "about:blank"))
            }
        }
    }

    /// Claims to purge.
    struct KeepsQuarantine: StorageDecorator {
        let base: any SessionStorage

        func purgeQuarantine() {}
    }

    /// Only checks, whatever the request.
    struct NeverRepairs: StorageDecorator {
        let base: any SessionStorage

        func repair() async throws(StorageError) -> RecoveryReport {
            var report = try await base.check()
            report.isRepaired = true
            return report
        }
    }

    /// Always repairs, whatever the request.
    struct RepairsWhenChecked: StorageDecorator {
        let base: any SessionStorage

        func check() async throws(StorageError) -> RecoveryReport { try await base.repair() }
    }
#endif
