import BrowserSessions

/// Sets that every store accepts, and after which a restore has to repair the forest.
struct BrokenForest: Sendable {
    static let session = Plain.session(5)
    let name: String
    /// What is saved, set by set.
    let sets: [SessionChanges]
    /// The kinds of the repairs, ascending by name; each as often as it is needed.
    let repairs: [SessionRepair.Kind]
    /// The forest as it comes back.
    let lines: [String]

    private init(
        _ name: String, _ sets: [[SessionChanges.Change]], _ repairs: [SessionRepair.Kind],
        _ lines: [String]
    ) {
        self.name = name
        self.sets = sets.map { SessionChanges(all: $0) }
        self.repairs = repairs
        self.lines = lines
    }

    static let all: [BrokenForest] = splits + groups + kinds + places + [deep]

    private static func put(_ nodes: StructureNode...) -> [SessionChanges.Change] {
        nodes.map { .put($0, in: session) }
    }

    private static func put(_ tabs: TabMetadata...) -> [SessionChanges.Change] {
        tabs.map { .put($0, in: session) }
    }

    private static let splits: [BrokenForest] = {
        let split = Plain.node(1, .split, at: 5)
        let panes = put(Plain.tab(1, at: 0, in: Plain.id(1)), Plain.tab(2, at: 1, in: Plain.id(1)))
        var (one, other) = (
            Plain.tab(1, at: 0, in: Plain.id(1)), Plain.tab(2, at: 1, in: Plain.id(1))
        )
        (one.weight, other.weight) = (-1, .min)
        let end = put(Plain.tab(9, at: 9, in: nil))
        return [
            BrokenForest(
                "a split of one pane",
                [put(split) + panes + end, [.remove(one.id, from: session)]],
                [.splitOfOneRemoved], ["t2", "t9"]),
            BrokenForest(
                "a split of one pane with a branch",
                [
                    put(split) + [panes[0]] + end
                        + put(Plain.tab(3, at: 0, in: Plain.id(1), edge: .branch))
                ], [.splitOfOneRemoved], ["t1", " t3", "t9"]),
            BrokenForest("a split without panes", [put(split) + end], [.splitRemoved], ["t9"]),
            BrokenForest(
                "a split of one split",
                [
                    put(split, Plain.node(2, .split, at: 0, in: Plain.id(1))) + end
                        + put(
                            Plain.tab(3, at: 0, in: Plain.id(2)),
                            Plain.tab(4, at: 1, in: Plain.id(2)))
                ],
                [.splitOfOneRemoved], ["n2", " t3", " t4", "t9"]),
            BrokenForest(
                "negative weights", [put(split) + put(one, other) + end],
                [.weightReset, .weightReset], ["n1", " t1", " t2", "t9"]),
        ]
    }()

    private static let groups: [BrokenForest] = {
        var plain = Plain.node(1, at: 5)
        plain.style = ""
        var inner = Plain.node(2, at: 0, in: Plain.id(1))
        inner.style = ""
        let end = put(Plain.tab(9, at: 9, in: nil))
        return [
            BrokenForest(
                "a plain group without members", [put(plain) + end], [.emptyGroupRemoved], ["t9"]),
            BrokenForest(
                "plain groups that leave each other empty", [put(plain, inner) + end],
                [.emptyGroupRemoved, .emptyGroupRemoved], ["t9"]),
            BrokenForest(
                "a plain group with a branch alone",
                [put(plain) + end + put(Plain.tab(1, at: 0, in: Plain.id(1), edge: .branch))],
                [.emptyGroupRemoved], ["t1", "t9"]),
            BrokenForest(
                "a folder, a space and a view without members",
                [
                    put(
                        Plain.node(1, at: 5), Plain.node(2, .space, at: 6),
                        Plain.node(3, .view, at: 7))
                        + end
                ], [], ["n1", "n2", "n3", "t9"]),
        ]
    }()

    private static let kinds: [BrokenForest] = {
        let end = put(Plain.tab(9, at: 9, in: nil))
        let members = put(
            Plain.tab(1, at: 0, in: Plain.id(1)), Plain.tab(2, at: 1, in: Plain.id(1)))
        return [
            BrokenForest(
                "a group that becomes a container",
                [put(Plain.node(1, at: 5)) + members + end, put(Plain.node(1, .container, at: 5))],
                [.wrongParentLifted, .wrongParentLifted], ["n1", "t1", "t2", "t9"]),
            BrokenForest(
                "a folder that becomes a split",
                [
                    put(Plain.node(1, at: 5), Plain.node(2, at: 3, in: Plain.id(1))) + members + end
                        + put(Plain.tab(3, at: 0, in: Plain.id(2))),
                    put(Plain.node(1, .split, at: 5)),
                ], [.wrongParentLifted], ["n1", " t1", " t2", "n2", " t3", "t9"]),
            BrokenForest(
                "a space that becomes a group",
                [
                    put(Plain.node(1, .space, at: 5)) + [members[0]] + end
                        + put(Plain.tab(2, at: 1, in: Plain.id(1), zone: .pinned)),
                    put(Plain.node(1, at: 5)),
                ], [.pinnedTabUngrouped], ["t2", "n1", " t1", "t9"]),
        ]
    }()

    private static let places: [BrokenForest] = [
        BrokenForest(
            "a pane that comes between siblings at one place",
            [
                put(Plain.node(1, .split, at: 5))
                    + put(
                        Plain.tab(1, at: 5, in: Plain.id(1)), Plain.tab(2, at: 5, in: nil),
                        Plain.tab(3, at: 5, in: nil), Plain.tab(9, at: 9, in: nil))
            ], [.placeRenewed, .splitOfOneRemoved], ["t2", "t3", "t1", "t9"])
    ]

    /// Two forests, each as deep as half of what is allowed and a little more, one put below the other.
    private static let deep: BrokenForest = {
        let half = SessionForest.maximumDepth / 2 + 2
        let (one, other) = (100, 200)
        let last = Plain.tab(1, at: 0, in: Plain.id(other + half - 1))
        let below = Plain.node(other, at: 500, in: Plain.id(one + half - 1))
        let nodes = (0..<2 * half).map { $0 < half ? one + $0 : other + $0 - half }
        let lines = nodes.enumerated().map { depth, node in
            String(repeating: " ", count: min(depth, SessionForest.maximumDepth)) + "n\(node)"
        }
        let end = String(repeating: " ", count: SessionForest.maximumDepth) + "t1"
        let lifted = 2 * half + 1 - (SessionForest.maximumDepth + 1)
        return BrokenForest(
            "two deep forests below each other",
            [
                PlainForest.chain(one, count: half, in: session)
                    + PlainForest.chain(other, count: half, in: session) + put(last),
                put(below),
            ], Array(repeating: .tooDeepLifted, count: lifted), lines + [end])
    }()
}
