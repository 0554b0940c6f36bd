import BrowserSessions

extension ConformanceSuite {
    /// What a change of the forest writes.
    @SuiteBuilder static var structureCost: [SuiteEntry] {
        SuiteEntry(
            "STRUCTURE-8", .must,
            """
            Renaming, collapsing and moving a node, moving a tab, and grouping some tabs write as much in \
            a session of many thousand tabs as in one of a hundred: nothing grows with what is below a \
            node or beside it.
            """, needs: [.files, .processes]
        )
        .tried("each change in a small and in a large session", timeLimit: .seconds(300)) {
            context in
            guard ReadBytes.writtenByThisProcess != nil else {
                throw NotTried("this system does not count the bytes that a process writes")
            }
            let small = try await ForestCosts(context, tabs: 100, groups: 3, inFirst: 20).bytes
            let count = context.amount(2000, full: 10_000)
            let large = try await ForestCosts(context, tabs: count, groups: 300, inFirst: 300).bytes
            for (change, bytes) in large.sorted(by: { $0.key < $1.key }) {
                let few = small[change] ?? 0
                context.note("\(change): \(bytes) bytes beside \(count) tabs, \(few) beside 100")
                try require(
                    bytes <= 2 * few + 16 << 10,
                    "\(change) wrote \(bytes) bytes beside \(count) tabs, \(few) beside 100")
            }
        }
        .catches("writes-members-with-their-group", says: "collapsing a group wrote") {
            $0.rewritingTabs { node, tab in tab.parent == node }
        }
        .catches("writes-the-session-with-a-node", says: "collapsing a group wrote") {
            $0.rewritingTabs { _, _ in true }
        }
    }
}

extension SessionStorage {
    /// Puts tabs of the session again when one of its nodes is put.
    fileprivate func rewritingTabs(
        _ isRewritten: @escaping @Sendable (NodeID, TabMetadata) -> Bool
    ) -> AlteredStorage {
        before(SaveRequest.self) { save, store in
            if save.changes.changes.count == 1,
                case .put(.node(let node, let session)) = save.changes.changes[0]
            {
                for tab in try await store.restore(session)?.tabs ?? []
                where isRewritten(node.id, tab) {
                    save.changes.put(tab, in: session)
                }
            }
        }
    }
}

/// The bytes that changes of a session with groups write.
private struct ForestCosts {
    private static let session = Plain.session(1)
    /// The number of tabs that are put into a new group together.
    private static let grouped = 10
    private let tabs: Int
    private let groups: Int
    private let inFirst: Int
    /// The fewest bytes of each change: some of the same kind also make a store tidy up.
    private(set) var bytes: [String: Int] = [:]

    /// - Parameter inFirst: the number of tabs in the first group; the others are in all others.
    init(_ context: CaseContext, tabs: Int, groups: Int, inFirst: Int) async throws {
        (self.tabs, self.groups, self.inFirst) = (tabs, groups, inFirst)
        let location = try await context.makeLocation()
        let store = try await context.open(location)
        for group in 0..<groups { _ = try await store.save(SessionChanges(put(group, at: group))) }
        for start in stride(from: 0, to: tabs, by: 500) {
            let set = (start..<min(start + 500, tabs)).map { tab($0, in: group(of: $0)) }
            _ = try await store.save(SessionChanges(all: set))
        }
        for round in 0..<5 {
            for (name, changes) in changes(round) {
                let before = ReadBytes.writtenByThisProcess ?? 0
                _ = try await store.save(SessionChanges(all: changes))
                let written = (ReadBytes.writtenByThisProcess ?? 0) - before
                bytes[name] = min(bytes[name] ?? .max, written)
            }
        }
        let found = try unwrap(try await store.restore(Self.session), "the session is absent")
        try requireEqual(found.tabs.count, tabs, "the number of tabs")
        try await store.close()
    }

    private func group(of tab: Int) -> Int {
        tab < inFirst ? 0 : 1 + tab % (groups - 1)
    }

    private func put(
        _ group: Int, at place: Int, _ change: (inout StructureNode) -> Void = { _ in }
    ) -> SessionChanges.Change {
        var node = Plain.node(group, at: place)
        change(&node)
        return .put(node, in: Self.session)
    }

    private func tab(_ number: Int, in group: Int?, moved: Int = 0) -> SessionChanges.Change {
        .put(
            Plain.tab(number, at: (number + moved) % 997, in: group.map { Plain.id($0) }),
            in: Self.session)
    }

    /// Returns the changes of a round, which are others than those of the rounds before.
    private func changes(_ round: Int) -> [(String, [SessionChanges.Change])] {
        let new = 1000 + round
        let moved = inFirst + round * 15
        let below = Plain.tab(moved + 1, at: 1, in: Plain.id(ofTab: 0), edge: .branch)
        return [
            ("renaming a group", [put(0, at: 0) { $0.name = "Renamed \(round)" }]),
            ("collapsing a group", [put(0, at: 0) { $0.isCollapsed = round.isMultiple(of: 2) }]),
            ("moving a group", [put(0, at: 500 + round)]),
            ("moving a group into another", [put(0, at: round) { $0.parent = Plain.id(1) }]),
            ("moving a group out of another", [put(0, at: round)]),
            ("moving a tab within a group", [tab(1, in: 0, moved: 300 + round)]),
            ("moving a tab into a group", [tab(moved, in: 0, moved: round)]),
            ("moving a tab out of a group", [tab(moved, in: nil, moved: round)]),
            ("moving a tab below another", [.put(below, in: Self.session)]),
            (
                "grouping \(Self.grouped) tabs",
                [put(new, at: 600 + round)]
                    + (2..<2 + Self.grouped).map { tab(moved + $0, in: new, moved: round) }
            ),
        ]
    }
}
