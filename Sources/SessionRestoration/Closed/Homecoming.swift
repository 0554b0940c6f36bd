import BrowserModel
import BrowserSessions

/// Finds where closed tabs come back, with the nodes that they were in.
///
/// A tab comes to what it was in or below: wherever that is now, or back with it if it ended when tabs
/// were closed. If that is a tab that is still closed, it comes to the nearest one above that is there, and
/// waits for the other. Otherwise it comes to its window, or else to the one that the caller names.
struct Homecoming {
    /// What comes back to one window.
    struct Home {
        let window: Window
        var items: [ReturningItem] = []
        var tabs: [TabID] = []
        var nodes: Set<NodeID> = []
    }

    private(set) var homes: [Home] = []
    private let context: RestorerContext
    private let records: ClosedTabRecords
    /// Where the closed tabs were.
    private let places: [NodeID: FormerPlace]
    /// The closed nodes without closed tabs, by what they were in or below.
    private let emptyNodes: [NodeID: [StructureNode]]
    /// What was added, with the number of its home.
    private var coming: [NodeID: Int] = [:]
    /// The identifiers under which nodes come back that other windows have.
    private var names: [NodeID: NodeID] = [:]

    init(_ context: RestorerContext, _ records: ClosedTabRecords) {
        (self.context, self.records, places) = (context, records, records.places)
        emptyNodes = records.nodes.emptyNodes(places)
    }

    /// Returns the tabs with those in front that others of them branch from.
    func parentsFirst(_ tabs: [ClosedTab]) -> [ClosedTab] {
        guard tabs.count > 1 else { return tabs }
        func depth(_ tab: ClosedTab) -> Int {
            var (depth, next) = (0, tab.former.parent)
            while let id = next, depth <= SessionForest.maximumDepth {
                depth += 1
                next = (places[id] ?? records.nodes[id]?.closedFrom)?.parent
            }
            return depth
        }
        return tabs.enumerated().map { (depth($1), $0, $1) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    /// Adds a tab that comes back.
    mutating func add(
        _ closed: ClosedTab, orTo given: (any WindowReference)?
    ) throws(SessionRestorationError) {
        let home = try home(of: closed, given)
        homes[home].tabs.append(closed.id)
        coming[NodeID(closed.id)] = home
        guard homes[home].window.tabs.tab(closed.id) == nil else { return }
        let place = returning(closed.former, to: home)
        homes[home].items.append(
            ReturningItem(
                context.tab(closed.metadata, of: .regular), at: place.now,
                waitingFor: place.later))
        bringBackEmptyNodes(of: NodeID(closed.id), to: home)
    }

    /// Returns the place that something comes to, and the one that it waits for, and adds the nodes that it
    /// needs there.
    private mutating func returning(
        _ former: FormerPlace, to home: Int
    ) -> (now: FormerPlace, later: FormerPlace?) {
        var now = former
        var later: FormerPlace?
        for _ in 0...SessionForest.maximumDepth {
            guard let parent = now.parent, !isThere(parent, in: home) else { break }
            if let node = records.nodes[parent], coming[parent] == nil {
                bringBack(node, to: home)
                break
            }
            guard let place = places[parent] else { break }
            // The place of a tab that is still closed is that of what branched from it.
            (now, later) = (place, former)
        }
        if let parent = now.parent, isThere(parent, in: home) {
            now.parent = names[parent] ?? parent
        } else if SessionID(now.session) != homes[home].window.sessionID {
            // Order keys say nothing in another window.
            now.place = nil
        }
        return (now, later)
    }

    private func isThere(_ id: NodeID, in home: Int) -> Bool {
        coming[id] == home || homes[home].window.tabs.has(id)
    }

    private mutating func bringBack(_ node: StructureNode, to home: Int) {
        coming[node.id] = home
        let place = returning(node.closedFrom ?? FormerPlace(), to: home)
        let record = homes[home].window.tabs.named(node)
        if record.id != node.id { names[node.id] = record.id }
        homes[home].nodes.insert(node.id)
        homes[home].items.append(
            ReturningItem(record, at: place.now, waitingFor: place.later))
        bringBackEmptyNodes(of: node.id, to: home)
    }

    private mutating func bringBackEmptyNodes(of id: NodeID, to home: Int) {
        for node in emptyNodes[id] ?? [] where coming[node.id] == nil {
            bringBack(node, to: home)
        }
    }

    // MARK: Windows

    private mutating func home(
        of closed: ClosedTab, _ given: (any WindowReference)?
    ) throws(SessionRestorationError) -> Int {
        let window = try window(of: closed, given)
        if let index = homes.firstIndex(where: { $0.window === window }) { return index }
        homes.append(Home(window: window))
        return homes.count - 1
    }

    private func window(
        of closed: ClosedTab, _ given: (any WindowReference)?
    ) throws(SessionRestorationError) -> Window {
        if let window = open(NodeID(closed.id)) { return window }
        var (session, next) = (closed.session, closed.former.parent)
        for _ in 0...SessionForest.maximumDepth {
            guard let parent = next else { break }
            if let home = coming[parent] { return homes[home].window }
            if let window = open(parent) { return window }
            let above = records.nodes[parent]?.closedFrom ?? places[parent]
            if let known = above.flatMap({ SessionID($0.session) }) { session = known }
            next = above?.parent
        }
        if let own = session.flatMap({ context.windows.window($0) }) { return own }
        if let given, (given as? Window)?.isClosed != true { return try context.openWindow(given) }
        let kind = session?.kind ?? .regular
        let alike = kind.role == .window ? context.windows.windows(of: kind) : []
        let open = alike.isEmpty ? context.windows.windows(of: .regular) : alike
        guard let window = open.last(where: \.isInForeground) ?? open.last else {
            throw .noOpenWindow
        }
        return window
    }

    /// Returns the window that shows a tab or node; `nil` if none does.
    private func open(_ id: NodeID) -> Window? {
        context.windows.windows.first { $0.holdsOpenTabs && $0.tabs.has(id) }
    }
}
