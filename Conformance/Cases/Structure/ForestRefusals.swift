import BrowserSessions

/// A set that breaks a rule of the forest, and that every store must refuse.
struct ForestRefusal: Sendable {
    /// What breaks the rule.
    let name: String
    /// The nodes and tabs that a refusal may name; empty if it may name any.
    let named: Set<NodeID>
    let changes: SessionChanges

    private init(_ name: String, _ named: [NodeID], _ changes: SessionChanges.Change...) {
        self.name = name
        self.named = Set(named)
        self.changes = SessionChanges(all: changes)
    }

    private init(_ name: String, _ named: NodeID, _ changes: SessionChanges.Change...) {
        self.name = name
        self.named = [named]
        self.changes = SessionChanges(all: changes)
    }

    /// The first node of a chain that is as deep as nodes may be.
    private static let chain = 100

    /// What is in the store before: two forests, the chain in a session of its own, and a space in the
    /// other partition.
    static func before(_ kind: SessionKind) -> [SessionChanges] {
        let elsewhere = Plain.session(9, kind == .regular ? .incognito : .regular)
        return [
            PlainForest.session(kind).changes, PlainForest.other(kind).changes,
            SessionChanges(all: PlainForest.deepest(chain, in: Plain.session(3, kind))),
            SessionChanges(.put(Plain.node(50, .space, at: 1), in: elsewhere)),
        ]
    }

    /// Returns one set for each rule; a rule more is a row more.
    static func all(_ kind: SessionKind) -> [ForestRefusal] {
        cycles(kind) + parents(kind) + children(kind) + depths(kind) + staying(kind) + doubles(kind)
    }

    private static func cycles(_ kind: SessionKind) -> [ForestRefusal] {
        let here = Plain.session(1, kind)
        let (one, two) = (Plain.id(1), Plain.id(2))
        return [
            ForestRefusal(
                "a node below itself", one, .put(Plain.node(1, at: 5, in: one), in: here)),
            ForestRefusal(
                "a node below what is below it", one,
                .put(Plain.node(1, at: 5, in: two), in: here)),
            ForestRefusal(
                "two nodes below each other", [Plain.id(30), Plain.id(31)],
                .put(Plain.node(30, at: 5, in: Plain.id(31)), in: here),
                .put(Plain.node(31, at: 5, in: Plain.id(30)), in: here)),
            ForestRefusal(
                "a tab below its own branch", Plain.id(ofTab: 5),
                .put(Plain.tab(5, at: 0, in: Plain.id(ofTab: 7), edge: .branch), in: here)),
            ForestRefusal(
                "a circle of new and old nodes", [one, Plain.id(30)],
                .put(Plain.node(30, at: 5, in: two), in: here),
                .put(Plain.node(1, at: 5, in: Plain.id(30)), in: here)),
        ]
    }

    private static func parents(_ kind: SessionKind) -> [ForestRefusal] {
        let (here, there) = (Plain.session(1, kind), Plain.session(2, kind))
        let (one, absent) = (Plain.id(1), Plain.id(99))
        return [
            ForestRefusal(
                "a parent that is not there", Plain.id(30),
                .put(Plain.node(30, at: 5, in: absent), in: here)),
            ForestRefusal(
                "a tab in a group that is not there", Plain.id(ofTab: 30),
                .put(Plain.tab(30, at: 5, in: absent), in: here)),
            ForestRefusal(
                "a branch with a parent that is not there", Plain.id(ofTab: 30),
                .put(Plain.tab(30, at: 5, in: absent, edge: .branch), in: here)),
            ForestRefusal(
                "a node in a space of the other partition", Plain.id(30),
                .put(Plain.node(30, at: 5, in: Plain.id(50)), in: here)),
            ForestRefusal(
                "a parent that the set removes", Plain.id(30),
                .put(Plain.node(30, at: 5, in: Plain.id(5)), in: here),
                .remove(Plain.id(5), from: here)),
            ForestRefusal(
                "a parent in a session that the set removes", Plain.id(30),
                .put(Plain.node(30, at: 5, in: Plain.id(20)), in: here), .remove(there)),
            ForestRefusal(
                "a node with a parent in another session", Plain.id(30),
                .put(Plain.node(30, at: 5, in: one), in: there)),
            ForestRefusal(
                "a tab with a parent in another session", Plain.id(ofTab: 30),
                .put(Plain.tab(30, at: 5, in: one), in: there)),
            ForestRefusal(
                "a space with a parent", Plain.id(30),
                .put(Plain.node(30, .space, at: 5, in: one), in: here)),
            ForestRefusal(
                "a view with a parent", Plain.id(30),
                .put(Plain.node(30, .view, at: 5, in: one), in: here)),
            ForestRefusal(
                "a container with a parent", Plain.id(30),
                .put(Plain.node(30, .container, at: 5, in: one), in: here)),
        ]
    }

    private static func children(_ kind: SessionKind) -> [ForestRefusal] {
        let here = Plain.session(1, kind)
        let tab = Plain.id(ofTab: 30)
        return [
            ForestRefusal(
                "a member of a tab", tab,
                .put(Plain.tab(30, at: 0, in: Plain.id(ofTab: 5)), in: here)),
            ForestRefusal(
                "a group as a member of a tab", Plain.id(30),
                .put(Plain.node(30, at: 0, in: Plain.id(ofTab: 5)), in: here)),
            ForestRefusal(
                "a group as a pane", Plain.id(30),
                .put(Plain.node(30, at: 0, in: Plain.id(3)), in: here)),
            ForestRefusal(
                "a member of a container", tab,
                .put(Plain.tab(30, at: 0, in: Plain.id(6)), in: here)),
            ForestRefusal(
                "a branch of a container", tab,
                .put(Plain.tab(30, at: 0, in: Plain.id(6), edge: .branch), in: here)),
            ForestRefusal(
                "a branch of a space", tab,
                .put(Plain.tab(30, at: 0, in: Plain.id(4), edge: .branch), in: here)),
            ForestRefusal(
                "a branch of a view", Plain.id(30),
                .put(Plain.node(30, at: 0, in: Plain.id(5), edge: .branch), in: here)),
            ForestRefusal(
                "a pinned tab in a group", tab,
                .put(Plain.tab(30, at: 0, in: Plain.id(1), zone: .pinned), in: here)),
            ForestRefusal(
                "an essential group below a tab", Plain.id(30),
                .put(
                    Plain.node(
                        30, at: 0, in: Plain.id(ofTab: 5), edge: .branch, zone: .essential),
                    in: here)),
        ]
    }

    private static func depths(_ kind: SessionKind) -> [ForestRefusal] {
        let there = Plain.session(3, kind)
        let deepest = Plain.id(chain + SessionForest.maximumDepth)
        let new = PlainForest.chain(
            400, count: SessionForest.maximumDepth + 2, in: Plain.session(4, kind))
        var all = [
            ForestRefusal(
                "a node too deep", Plain.id(30),
                .put(Plain.node(30, at: 0, in: deepest), in: there)),
            ForestRefusal(
                "a tab too deep", Plain.id(ofTab: 30),
                .put(Plain.tab(30, at: 0, in: deepest), in: there)),
        ]
        all.append(ForestRefusal("a new forest too deep", set: new))
        return all
    }

    private init(_ name: String, set: [SessionChanges.Change]) {
        self.name = name
        named = []
        changes = SessionChanges(all: set)
    }

    private static func staying(_ kind: SessionKind) -> [ForestRefusal] {
        let (here, there) = (Plain.session(1, kind), Plain.session(2, kind))
        let tab = Plain.tab(5, at: 0, in: nil)
        return [
            ForestRefusal(
                "a removed group with members", Plain.id(1), .remove(Plain.id(1), from: here)),
            ForestRefusal(
                "a removed group with one member more", Plain.id(3),
                .remove(Plain.id(3), from: here), .remove(Plain.tab(3).id, from: here)),
            ForestRefusal(
                "a removed tab with a branch", Plain.id(ofTab: 5), .remove(tab.id, from: here)),
            ForestRefusal(
                "a moved split without its panes", Plain.id(3),
                .put(Plain.node(3, .split, at: 0), in: there)),
            ForestRefusal(
                "a moved tab without its branch", Plain.id(ofTab: 5), .put(tab, in: there)),
            ForestRefusal(
                "a moved split with a pane that is put where it was",
                [Plain.id(3), Plain.id(ofTab: 3)],
                .put(Plain.node(3, .split, at: 0), in: there),
                .put(Plain.tab(3, at: 0, in: Plain.id(3)), in: here),
                .put(Plain.tab(4, at: 0, in: Plain.id(3)), in: there)),
        ]
    }

    private static func doubles(_ kind: SessionKind) -> [ForestRefusal] {
        let (here, there) = (Plain.session(1, kind), Plain.session(2, kind))
        var node = Plain.node(30, at: 0)
        node.id = Plain.id(ofTab: 5)
        var tab = Plain.tab(30)
        tab.id = TabID(Plain.id(1))
        var both = Plain.tab(30)
        both.id = TabID(Plain.id(30))
        return [
            ForestRefusal("a node with the identifier of a tab", node.id, .put(node, in: here)),
            ForestRefusal(
                "a tab with the identifier of a node", Plain.id(1), .put(tab, in: there)),
            ForestRefusal(
                "a new tab and a new node with one identifier", Plain.id(30),
                .put(Plain.node(30, at: 0), in: here), .put(both, in: there)),
            ForestRefusal(
                "a node put twice", Plain.id(30), .put(Plain.node(30, at: 0), in: here),
                .put(Plain.node(30, at: 1), in: here)),
            ForestRefusal(
                "a node put into two sessions", Plain.id(30),
                .put(Plain.node(30, at: 0), in: here),
                .put(Plain.node(30, at: 0), in: there)),
            ForestRefusal(
                "a node put and removed", Plain.id(30), .put(Plain.node(30, at: 0), in: here),
                .remove(Plain.id(30), from: here)),
            ForestRefusal(
                "a node put into a session that goes", Plain.id(30),
                .put(Plain.node(30, at: 0), in: here), .remove(here)),
        ]
    }
}
