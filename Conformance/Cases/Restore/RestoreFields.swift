import BrowserSessions
import SessionSamples

extension ConformanceSuite {
    /// Content, field for field.
    static let restoreFields: [RequirementCases] = [
        RequirementCases(
            Requirement(
                .restore, 1, .must,
                "Every field of a session's attributes, groups and tabs comes back as saved."),
            CaseBody("every field set") { context in
                try await context.withNewStore { store in
                    _ = try await store.save(FullRecords.session.changes)
                    try await FullRecords.session.check(in: store, "every field set")
                }
            },
            CaseBody("every field set, on the incognito side") { context in
                try await context.withNewStore { store in
                    var session = FullRecords.session
                    session.id.kind = .incognito
                    _ = try await store.save(session.changes)
                    try await session.check(in: store, "every field set, incognito")
                }
            },
            CaseBody("a bare session and a session without attributes") { context in
                try await context.withNewStore { store in
                    let bare = ExpectedSession(
                        id: Plain.session(1),
                        tabs: [TabMetadata(id: Plain.tab(0).id, place: .between(nil, nil))])
                    _ = try await store.save(bare.changes)
                    try await bare.check(in: store, "a bare session")
                    let implied = ExpectedSession(id: Plain.session(2), tabs: [Plain.tab(1)])
                    _ = try await store.save(
                        SessionChanges(.putTab(implied.tabs[0], in: implied.id)))
                    try await implied.check(in: store, "a session without attributes")
                }
            },
            CaseBody("sampled windows") { context in
                var sampler = context.sampler
                let windows = sampler.windows(5, tabs: 40).map {
                    ExpectedSession(
                        id: $0.id, attributes: $0.attributes, tabs: $0.tabs.map(\.metadata))
                }
                try await context.withNewStore { store in
                    for window in windows { _ = try await store.save(window.changes) }
                    for (number, window) in windows.enumerated() {
                        try await window.check(in: store, "sampled window \(number)")
                    }
                }
            }),
        RequirementCases(
            Requirement(
                .restore, 2, .must,
                "Every field comes back as saved when the store is opened again.",
                needs: [.reopening]),
            CaseBody("every field set, opened three times") { context in
                let location = try await context.makeLocation()
                try await context.withStore(at: location) {
                    _ = try await $0.save(FullRecords.session.changes)
                }
                for opening in 2...4 {
                    try await context.withStore(at: location) {
                        try await FullRecords.session.check(in: $0, "at opening \(opening)")
                    }
                }
            }),
        RequirementCases(
            Requirement(
                .restore, 3, .must,
                """
                Text of any length up to 64 KiB and of any characters comes back byte for byte, in \
                every field that holds text.
                """),
            CaseBody("texts that are easily spoiled") { context in
                let session = ExtremeValues.texts
                try await context.reopeningIfPossible { store in
                    _ = try await store.save(session.changes)
                } check: { store in
                    try await session.check(in: store, "texts that are easily spoiled")
                }
            }),
        RequirementCases(
            Requirement(
                .restore, 4, .must,
                """
                Numbers and times come back exactly, from the smallest to the largest, but for \
                negative history counts; so do kinds and colours that this version does not know.
                """),
            CaseBody("the ends of every range") { context in
                let session = ExtremeValues.numbers
                try await context.reopeningIfPossible { store in
                    _ = try await store.save(session.changes)
                } check: { store in
                    try await session.check(in: store, "the ends of every range")
                }
            }),
        RequirementCases(
            Requirement(
                .restore, 5, .must,
                "Identifiers that differ in any bit are different: none stands for another."),
            CaseBody("identifiers one bit apart") { context in
                try await context.withNewStore { store in
                    try await checkIdentifiers(store)
                }
            }),
        RequirementCases(
            Requirement(
                .restore, 6, .must,
                "Fields of a newer version, which this one does not know, come back as saved."),
            CaseBody("a tab with two unknown fields") { context in
                let session = try ExtremeValues.unknownFields()
                try await context.reopeningIfPossible { store in
                    _ = try await store.save(session.changes)
                } check: { store in
                    try await session.check(in: store, "a tab with unknown fields")
                }
            }),
    ]

    private static func checkIdentifiers(_ store: any SessionStorage) async throws {
        let words: [(UInt64, UInt64)] =
            [(0, 0), (.max, .max)] + (0..<64).flatMap { [(1 << $0, 0), (0, 1 << $0)] }
        let places = OrderKey.evenlySpaced(count: words.count)
        var changes = SessionChanges()
        var windows: [ExpectedSession] = []
        for (number, word) in words.enumerated() {
            // The window and the tab have the same bits, which must not matter either.
            let tab = TabMetadata(
                id: TabID(high: word.0, low: word.1), place: places[number], title: "\(number)")
            let id = SessionID(window: WindowID(high: word.0, low: word.1))
            windows.append(
                ExpectedSession(
                    id: id, attributes: SessionAttributes(title: "\(number)"), tabs: [tab]))
        }
        for window in windows { for change in window.changes.changes { changes.add(change) } }
        _ = try await store.save(changes)
        for window in windows { try await window.check(in: store, "identifiers one bit apart") }
        let found = try await store.sessions()
        try requireEqual(found.count, windows.count, "the number of sessions one bit apart")
    }
}
