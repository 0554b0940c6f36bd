import BrowserSessions

/// A set that every store accepts, with what ``PlainForest`` is after it.
struct AcceptedForest: Sendable {
    let name: String
    let changes: SessionChanges
    /// The lines of the first session; `nil` if it is gone.
    let lines: [String]?
    /// Those of the second one.
    let others: [String]?

    private init(
        _ name: String, _ changes: [SessionChanges.Change], _ lines: [String]?,
        others: [String]? = ["n20", " t20"]
    ) {
        self.name = name
        self.changes = SessionChanges(all: changes)
        (self.lines, self.others) = (lines, others)
    }

    private static let (here, there) = (Plain.session(1), Plain.session(2))
    private static let folder = ["n1", " t1", " n2", "  t2", " n3", "  t3", "  t4"]
    private static let rest = ["t5", " t6", "  t7", "n4", " t9", " t8", "n5", "n6"]

    static let all: [AcceptedForest] = removals + moves + goings

    private static let removals: [AcceptedForest] = [
        AcceptedForest(
            "a group and all below it removed",
            (1...4).map { .remove(Plain.tab($0).id, from: here) }
                + (1...3).map { .remove(Plain.id($0), from: here) }, rest),
        AcceptedForest(
            "a group removed and its members taken to the top",
            [
                .remove(Plain.id(3), from: here),
                .put(Plain.tab(3, at: 40, in: nil), in: here),
                .put(Plain.tab(4, at: 41, in: nil), in: here),
            ], ["n1", " t1", " n2", "  t2"] + rest + ["t3", "t4"]),
        AcceptedForest(
            "a tab removed and its branch lifted",
            [
                .remove(Plain.tab(5).id, from: here),
                .put(Plain.tab(6, at: 9, in: nil), in: here),
            ], folder + ["t6", " t7"] + rest.dropFirst(3)),
        AcceptedForest(
            "a node removed from where it is not", [.remove(Plain.id(1), from: there)],
            PlainForest.outline),
        AcceptedForest(
            "nodes without members removed", (5...6).map { .remove(Plain.id($0), from: here) },
            PlainForest.outline.dropLast(2)),
    ]

    private static let moves: [AcceptedForest] = [
        AcceptedForest(
            "a split moved with its panes",
            [
                .put(Plain.tab(4, at: 1, in: Plain.id(3)), in: there),
                .put(Plain.node(3, .split, at: 9), in: there),
                .put(Plain.tab(3, at: 0, in: Plain.id(3)), in: there),
            ], ["n1", " t1", " n2", "  t2"] + rest, others: ["n20", " t20", "n3", " t3", " t4"]),
        AcceptedForest(
            "a parent and its child changed places",
            [
                .put(Plain.node(2, at: 5), in: here),
                .put(Plain.node(1, at: 9, in: Plain.id(2)), in: here),
            ], ["n2", " t2", " n1", "  t1", "  n3", "   t3", "   t4"] + rest),
        AcceptedForest(
            "a new node between a tab and its branch",
            [
                .put(Plain.tab(6, at: 0, in: Plain.id(30)), in: here),
                .put(Plain.node(30, at: 0, in: Plain.id(ofTab: 5), edge: .branch), in: here),
            ], folder + ["t5", " n30", "  t6", "   t7"] + rest.dropFirst(3)),
        AcceptedForest(
            "a folder emptied", [.put(Plain.tab(20, at: 1, in: nil), in: there)],
            PlainForest.outline, others: ["n20", "t20"]),
        AcceptedForest(
            "the deepest level",
            PlainForest.chain(
                400, count: SessionForest.maximumDepth, in: there, below: Plain.id(20)),
            PlainForest.outline,
            others: ["n20", " t20"]
                + (1...SessionForest.maximumDepth).map {
                    String(repeating: " ", count: $0) + "n\(399 + $0)"
                }),
    ]

    private static let goings: [AcceptedForest] = [
        AcceptedForest("a session removed", [.remove(here)], nil),
        AcceptedForest(
            "a session removed but for a group with all below it",
            [
                .remove(here), .put(Plain.node(2, at: 9), in: there),
                .put(Plain.tab(2, at: 0, in: Plain.id(2)), in: there),
            ], nil, others: ["n20", " t20", "n2", " t2"]),
        AcceptedForest(
            "a session removed but for a folder without what was in it",
            [.remove(here), .put(Plain.node(1, at: 9), in: there)], nil,
            others: ["n20", " t20", "n1"]),
        AcceptedForest(
            "a session removed but for a tab of a group",
            [.remove(here), .put(Plain.tab(3, at: 9, in: Plain.id(20)), in: there)], nil,
            others: ["n20", " t20", " t3"]),
    ]
}
