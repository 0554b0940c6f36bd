import BrowserSessions

extension ConformanceSuite {
    /// Tab lists that break the rules.
    @SuiteBuilder static var restoreRules: [SuiteEntry] {
        SuiteEntry(
            "RESTORE-12", .must,
            """
            A tab list that breaks a rule is accepted, and comes back whole, put right, and \
            with every repair named.
            """
        )
        .tried("one broken rule at a time") { context in
            for broken in BrokenRules.all {
                try await context.withNewStore { store in
                    let session = broken.session
                    try await requireSuccess("\(broken.name): the set was refused") {
                        try await store.save(session.changes, durability: .memory)
                    }
                    let found = try unwrap(
                        try await store.restore(session.id), "\(broken.name): absent")
                    try requireEqual(
                        Set(found.tabs.map(\.id)), Set(session.tabs.map(\.id)),
                        "\(broken.name): the tabs")
                    try requireEqual(
                        Set(found.repairs.map(\.kind)), [broken.repair],
                        "\(broken.name): the repairs")
                    try require(
                        found.obeysTheRules, "\(broken.name): the rule is still broken")
                    try requireEqual(
                        found.provenance, .intact, "\(broken.name): the provenance")
                }
            }
        }
        .catches("refuses-broken-lists", says: "a tab that opened itself: the set was refused") {
            $0.before(SaveRequest.self) { save, _ in
                for case .put(.tab(let tab, _)) in save.changes.changes
                where tab.opener?.tab == tab.id {
                    throw StorageError(.invalidChanges, "a tab cannot open itself")
                }
            }
        }
        .catches("repairs-in-silence", says: "the repairs") { $0.restoring { $0.repairs = [] } }
        .catches("leaves-lists-broken", says: "the rule is still broken") {
            $0.restoring { session in
                for repair in session.repairs where repair.kind == .openerRemoved {
                    for index in session.tabs.indices where session.tabs[index].id == repair.tab {
                        session.tabs[index].opener = TabOpener(tab: session.tabs[index].id)
                    }
                }
            }
        }
    }
}

/// A session that breaks one rule of tab lists.
private struct BrokenRules {
    var name: String
    var repair: SessionRepair.Kind
    var session: ExpectedSession

    init(
        _ name: String, _ repair: SessionRepair.Kind,
        _ spoil: (inout ExpectedSession, NodeID) -> Void
    ) {
        self.name = name
        self.repair = repair
        let group = NodeID(high: 5, low: 5)
        session = Plain.window(1, tabs: 0..<6)
        session.nodes = [StructureNode.group(id: group, name: "Group")]
        session.nodes[0].place = session.tabs[3].place
        session.tabs[3].group = group
        session.attributes.activeTab = session.tabs[2].id
        spoil(&session, group)
    }

    static let all: [BrokenRules] = [
        BrokenRules("a tab that opened itself", .openerRemoved) { session, _ in
            session.tabs[1].opener = TabOpener(tab: session.tabs[1].id)
        },
        BrokenRules("an opener that is not there", .openerRemoved) { session, _ in
            session.tabs[1].opener = TabOpener(tab: Plain.tab(99).id)
        },
        BrokenRules("an active tab that is not there", .activeTabReplaced) { session, _ in
            session.attributes.activeTab = Plain.tab(99).id
        },
        BrokenRules("a group without tabs", .emptyGroupRemoved) { session, _ in
            session.nodes.append(StructureNode.group(id: NodeID(high: 6, low: 6)))
        },
        BrokenRules("a negative history count", .navigationCountReset) { session, _ in
            session.tabs[4].navigationItemCount = -7
        },
    ]
}

extension RestoredSession {
    /// Whether the rules of a tab list hold.
    fileprivate var obeysTheRules: Bool {
        let ids = Set(tabs.map(\.id))
        return zip(tabs, tabs.dropFirst()).allSatisfy { $0.place < $1.place }
            && tabs.allSatisfy { tab in
                tab.opener.map { $0.tab != tab.id && ids.contains($0.tab) } ?? true
            }
            && tabs.allSatisfy { $0.navigationItemCount >= 0 }
            && attributes.activeTab.map(ids.contains) ?? true
            && Set(tabs.compactMap(\.group)) == Set(nodes.map(\.id))
    }
}
