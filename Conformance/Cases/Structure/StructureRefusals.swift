import BrowserSessions

extension ConformanceSuite {
    /// Sets that break a rule of the forest, and sets that look like it.
    @SuiteBuilder static var structureRefusals: [SuiteEntry] {
        SuiteEntry(
            "STRUCTURE-5", .must,
            """
            A set after which a node that it puts or removes would break a rule of the forest is refused \
            with `invalidChanges`, which names the node, and nothing changes.
            """
        )
        .tried("one broken rule at a time") { try await refusals(of: .regular, $0) }
        .tried("one broken rule at a time, in the incognito partition") {
            try await refusals(of: .incognito, $0)
        }
        .catches(
            .accepting("a node below what is below it", as: "lets-nodes-go-in-circles"),
            .accepting("a parent that is not there", as: "takes-nodes-without-parents"),
            .accepting(
                "a branch with a parent that is not there", as: "takes-branches-without-trees"),
            .accepting(
                "a node in a space of the other partition", as: "has-spaces-across-partitions"),
            .accepting("a node with a parent in another session", as: "ties-sessions-together"),
            .accepting("a space with a parent", as: "puts-spaces-anywhere"),
            .accepting("a member of a tab", as: "puts-members-into-tabs"),
            .accepting("a group as a pane", as: "splits-groups"),
            .accepting("a pinned tab in a group", as: "pins-within-groups"),
            .accepting("a node too deep", as: "knows-no-depth"),
            .accepting("a removed group with members", as: "leaves-members-behind"),
            .accepting("a moved tab without its branch", as: "leaves-branches-behind"),
            .accepting("a node with the identifier of a tab", as: "mixes-up-tabs-and-nodes")
        )
        .catches("names-no-node", says: "a node below itself: the refusal names") {
            $0.refusing { error, _ in error.subject = nil }
        }
        .catches("refuses-forests-too-late", says: "the refused set changed the store") {
            $0.applyingHalfOfRefused()
        }
        SuiteEntry(
            "STRUCTURE-6", .must,
            """
            A set that takes along, moves away or removes what is below the nodes that it moves or \
            removes is accepted, whatever is in between: only what is there after it counts.
            """
        )
        .tried("removals and moves with all below", acceptances)
        .catches(
            "removes-nothing-with-members", says: "a group and all below it removed: refused"
        ) {
            $0.before(SaveRequest.self) { save, store in
                for case .remove(.node(let node), let session) in save.changes.changes {
                    let found = try await store.restore(session)
                    if found?.tabs.contains(where: { $0.parent == node }) == true {
                        throw StorageError(.invalidChanges, "it has members")
                    }
                }
            }
        }
        .catches("moves-nodes-as-copies", says: "the forest") {
            $0.on(SaveRequest.self) { save, store in
                let receipt = try await save.perform(on: store)
                guard save.changes.changes.contains(where: \.isMoveOfSplit) else {
                    return receipt
                }
                var copy = Plain.node(3, .group, at: 2, in: Plain.id(1))
                copy.id = Plain.id(333)
                copy.style = "copy"
                return try await store.save(
                    SessionChanges(.put(copy, in: Plain.session(1))))
            }
        }
    }

    private static func refusals(of kind: SessionKind, _ context: CaseContext) async throws {
        try await context.withNewStore { store in
            for set in ForestRefusal.before(kind) { _ = try await store.save(set) }
            let before = try await contents(of: store)
            for refusal in ForestRefusal.all(kind) {
                let name = refusal.name
                let error = try await requireError(.invalidChanges, from: name) {
                    _ = try await store.save(refusal.changes)
                }
                try requireEqual(error.effect, .notApplied, "\(name): the effect")
                try require(
                    refusal.named.isEmpty || error.named.map(refusal.named.contains) == true,
                    "\(name): the refusal names \(error.named.map { "\($0)" } ?? "no node")")
                let after = try await contents(of: store)
                try require(after == before, "\(name): the refused set changed the store")
            }
        }
    }

    @Sendable private static func acceptances(_ context: CaseContext) async throws {
        for accepted in AcceptedForest.all {
            try await context.reopeningIfPossible { store in
                let (one, other) = (PlainForest.session(), PlainForest.other())
                _ = try await store.save(one.changes)
                _ = try await store.save(other.changes)
                try await requireSuccess("\(accepted.name): refused") {
                    try await store.save(accepted.changes)
                }
            } check: { store in
                for (session, lines) in [(1, accepted.lines), (2, accepted.others)] {
                    let id = Plain.session(session)
                    if let lines {
                        try await store.requireOutline(lines, of: id, accepted.name)
                    } else {
                        let found = try await store.restore(id)
                        try require(found == nil, "\(accepted.name): a removed session is there")
                    }
                }
            }
        }
    }
}

extension StorageError {
    /// The node or tab that the error names.
    fileprivate var named: NodeID? {
        if case .record(let item, _)? = subject { item.nodeID } else { nil }
    }
}

extension FaultyBackend {
    /// A backend that accepts, and ignores, one of the sets of ``ForestRefusal``.
    fileprivate static func accepting(_ rule: String, as name: String) -> FaultyBackend {
        FaultyBackend(
            name, says: "\(rule): expected .invalidChanges, no error",
            wrapping: {
                let sets = [SessionKind.regular, .incognito].flatMap { kind in
                    ForestRefusal.all(kind).filter { $0.name == rule }.map(\.changes)
                }
                return $0.refused { save, store, error in
                    guard sets.contains(save.changes) else { throw error }
                    return try await store.save(SessionChanges(), durability: save.durability)
                }
            })
    }
}
extension SessionChanges.Change {
    /// Whether the split of ``PlainForest`` moves to another session.
    fileprivate var isMoveOfSplit: Bool {
        if case .put(.node(let node, let session)) = self {
            return node.id == Plain.id(3) && session == Plain.session(2)
        }
        return false
    }
}
