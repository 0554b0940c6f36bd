import BrowserSessions

extension Mutant {
    static let restore: [Mutant] =
        restoreFieldMutants + restorePresenceMutants + restoreGenerationMutants

    private static let restoreFieldMutants: [Mutant] = [
        Mutant(
            "loses-icons", breaks: "RESTORE-1", says: "every field set: tab 0 differs in faviconURL"
        ) { base in
            AlteredStorage.changingTabs(base) { $0.faviconURL = "" }
        },
        Mutant(
            "loses-groups", breaks: "RESTORE-1", says: "the session differs in groups"
        ) { base in
            AlteredStorage.restoring(base) { $0.attributes.groups = [] }
        },
        Mutant(
            "keeps-properties-in-memory", breaks: "RESTORE-2",
            says: "at opening 2: tab 0 differs in properties"
        ) { base in
            let kept = FaultMemory<[TabID: [String: String]]>([:])
            var altered = AlteredStorage.changingTabs(base) { tab in
                let (id, properties) = (tab.id, tab.properties)
                kept.use { $0[id] = properties }
                tab.properties = [:]
            }
            altered.onRestore = { base, id, generation throws(StorageError) in
                var session = try await base.restore(id, generation: generation)
                for index in session?.tabs.indices ?? 0..<0 {
                    let tab = session?.tabs[index].id
                    session?.tabs[index].properties =
                        kept.use { kept in tab.flatMap { kept[$0] } } ?? [:]
                }
                return session
            }
            return altered
        },
        Mutant(
            "forgets-all-when-opened", breaks: "RESTORE-2",
            says: "at opening 2: the session is absent",
            opening: { configuration throws(StorageError) in
                try FileSystem.remove(configuration.location)
                return try ReferenceEngine.open(configuration)
            }),
        Mutant("folds-case", breaks: "RESTORE-3", says: "differs in url") { base in
            AlteredStorage.changingTabs(base) { $0.url = $0.url.lowercased() }
        },
        Mutant("stops-at-nul", breaks: "RESTORE-3", says: "differs in title") { base in
            AlteredStorage.changingTabs(base) { $0.title = String($0.title.prefix { $0 != "\0" }) }
        },
        Mutant("cuts-text-at-255", breaks: "RESTORE-3", says: "differs in faviconURL") { base in
            AlteredStorage.changingTabs(base) { $0.faviconURL = String($0.faviconURL.prefix(255)) }
        },
        Mutant("composes-letters", breaks: "RESTORE-3", says: "tab 9 differs in title") { base in
            AlteredStorage.changingTabs(base) {
                if $0.title == "\u{E9}" { $0.title = "\u{E9}" }
            }
        },
        Mutant(
            "trims-property-values", breaks: "RESTORE-3", says: "differs in properties"
        ) { base in
            AlteredStorage.changingTabs(base) {
                $0.properties = $0.properties.mapValues { $0.filter { !$0.isWhitespace } }
            }
        },
        Mutant("keeps-milliseconds", breaks: "RESTORE-4", says: "differs in createdAt") { base in
            AlteredStorage.changingTabs(base) {
                $0.createdAt.microseconds = $0.createdAt.microseconds / 1000 * 1000
            }
        },
        Mutant("knows-nine-colours", breaks: "RESTORE-4", says: "differs in groups") { base in
            AlteredStorage.restoring(base) {
                for index in $0.attributes.groups.indices
                where $0.attributes.groups[index].color.name == nil {
                    $0.attributes.groups[index].color = .grey
                }
            }
        },
        Mutant(
            "loses-large-identifiers", breaks: "RESTORE-5",
            says: "identifiers one bit apart: the session is absent"
        ) { base in
            AlteredStorage.changing(base) { changes in
                changes.replacing(
                    changes.changes.filter {
                        switch $0 {
                        case .putSession(let id, _): id.window.high == 0
                        case .putTab(_, let id): id.window.high == 0
                        default: true
                        }
                    })
            }
        },
        Mutant(
            "aliases-tabs", breaks: "RESTORE-5",
            says: "identifiers one bit apart: the session differs"
        ) { base in
            AlteredStorage(
                base: base,
                onRestore: { base, id, generation throws(StorageError) in
                    let high = id.window.high
                    let alias = WindowID(high: high == 1 ? 0 : high, low: id.window.low)
                    var session = try await base.restore(
                        SessionID(window: alias, kind: id.kind), generation: generation)
                    session?.id = id
                    return session
                })
        },
        Mutant(
            "loses-unknown-fields", breaks: "RESTORE-6", says: "differs in unknownFields"
        ) { base in
            AlteredStorage.changingTabs(base) { tab in
                tab = TabMetadata(
                    id: tab.id, place: tab.place, url: tab.url, title: tab.title,
                    faviconURL: tab.faviconURL, createdAt: tab.createdAt,
                    lastActiveAt: tab.lastActiveAt, navigationItemCount: tab.navigationItemCount,
                    isPinned: tab.isPinned, group: tab.group, opener: tab.opener,
                    properties: tab.properties)
            }
        },
        Mutant(
            "loses-unknown-fields-of-openers", breaks: "RESTORE-6", says: "differs in opener"
        ) { base in
            AlteredStorage.changingTabs(base) { tab in
                tab.opener = tab.opener.map {
                    TabOpener(tab: $0.tab, navigationIndex: $0.navigationIndex)
                }
            }
        },
        Mutant("sorts-by-id", breaks: "RESTORE-7", says: "differs in id") { base in
            AlteredStorage.restoring(base) { $0.tabs.sort { $0.id < $1.id } }
        },
        Mutant("compares-eight-bytes", breaks: "RESTORE-7", says: "places of every length") {
            base in
            AlteredStorage.restoring(base) { session in
                let keys = session.tabs.reversed().map { ($0, Array($0.place.bytes.prefix(8))) }
                session.tabs = keys.enumerated().sorted { left, right in
                    left.element.1 == right.element.1
                        ? left.offset < right.offset
                        : left.element.1.lexicographicallyPrecedes(right.element.1)
                }.map(\.element.0)
            }
        },
    ]
}
