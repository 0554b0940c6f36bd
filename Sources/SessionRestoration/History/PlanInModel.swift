import BrowserModel
import BrowserSessions
import RestorePlans

/// Does in the model what a plan makes of it: in open windows and lists by their own calls, as a user does it,
/// and in what is not open by marks for the next save.
struct PlanInModel: RestorerPart {
    let components: RestorerComponents
    private let application: PlanApplication
    private let changes: SessionChanges
    private let present: PresentState
    /// The sessions that change, as they are to be.
    private var target: [SessionID: RestoredSession]
    private var states: [TabID: [StateName: [UInt8]]] = [:]
    private var saves: SavedPartition { context.saves.regular }
    private var windows: WindowList { context.windows }

    /// - Parameters:
    ///   - application: the plan, as far as it is true.
    ///   - changes: what it changes.
    ///   - past: the states of what comes back.
    ///   - present: what the changes are made to.
    init(
        _ components: RestorerComponents, _ application: PlanApplication,
        _ changes: SessionChanges, _ past: StatesToFill, from present: PresentState
    ) {
        (self.components, self.application, self.changes) = (components, application, changes)
        (self.present, target) = (present, application.sessionsAfter)
        for (key, bytes) in past.states { states[key.tab, default: [:]][key.name] = bytes }
        for id in changes.removedSessions
        where id.kind.role != .window && windows.window(id) != nil {
            // A list that is no window's own is emptied, not closed with what is in it.
            target[id]?.tabs = []
            target[id]?.nodes = []
        }
    }

    /// Does everything at once, so that one save has all of it.
    ///
    /// - Returns: the windows that were opened.
    func run() throws -> [Window] {
        let opened = try openWindows()
        try openLists()
        try closeDisplaced()
        try transfer()
        let lists = target.keys.sorted().compactMap { id in windows.window(id).map { (id, $0) } }
        // A node is in one list at a time.
        for (id, window) in lists { window.tabs.endNodes(except: nodes(of: id)) }
        closedTabs.take(
            closedTabs.nodes.ids.intersection(lists.flatMap { nodes(of: $0.0) }))
        for (id, window) in lists { arrange(window, as: id) }
        try closeWindows()
        let hidden = target.keys.sorted().filter { windows.window($0) == nil }
        for id in hidden { saveHidden(id) }
        components.show(
            hidden.compactMap { target[$0] },
            among: present.sessions.merging(target) { _, new in new }.values)
        removeEmptied()
        forgetUndone()
        return opened
    }

    private func nodes(of id: SessionID) -> Set<NodeID> {
        Set(target[id]?.nodes.map(\.id) ?? [])
    }

    // MARK: Opening

    /// Opens windows that are back or were closed.
    private func openWindows() throws -> [Window] {
        var opened: [Window] = []
        for id in target.keys.sorted() where windows.window(id) == nil {
            guard let session = target[id], id.kind.isReopenable, session.attributes.closedAt == nil
            else { continue }
            if let before = present.sessions[id] {
                // What was not closed waits for the host to open it.
                guard before.isClosed else { continue }
                let companions = present.sessions.values.filter {
                    $0.id.window == id.window && $0.id.kind.role == .companion
                }
                opened.append(
                    try opener.open(
                        [before] + companions.sorted { $0.id < $1.id }, as: id, nil))
            } else {
                opened.append(
                    try windows.open(id.window, kind: id.kind, attributes: session.attributes))
            }
        }
        return opened
    }

    /// Opens the lists of open windows and of the profile that get something.
    private func openLists() throws {
        for id in target.keys.sorted() where windows.window(id) == nil {
            guard let session = target[id], !session.tabs.isEmpty || !session.nodes.isEmpty else {
                continue
            }
            if id.kind.role == .companion, let owner = windows.window(id.window) {
                _ = try context.openCompanion(id.kind, of: owner, session.attributes)
            } else if id == SessionID(window: .profileWide, kind: .library) {
                _ = windows.library
            }
        }
    }

    // MARK: Tabs

    /// Closes the tabs that are not to be in a list any more, as one closing. A window that goes takes along
    /// what goes with it.
    private func closeDisplaced() throws(TabListError) {
        var leaving: [TabID] = []
        let staying = Set(target.values.lazy.flatMap { $0.tabs.lazy.map(\.id) })
        for change in changes.changes {
            switch change {
            case .remove(.tab(let tab), _): leaving.append(tab)
            case .put(.tab(let tab, let session)) where windows.window(session) == nil:
                leaving.append(tab.id)
            case .remove(.session(let session), _):
                let tabs = windows.window(session)?.tabs.map(\.id) ?? []
                leaving += tabs.filter { !staying.contains($0) }
            default: break
            }
        }
        var homes: [SessionID: [Tab]] = [:]
        for id in leaving {
            guard let tab = windows.registry[.regular].tab(id),
                let home = windows.windows.first(where: { $0.tabs === tab.list })
            else { continue }
            homes[home.sessionID, default: []].append(tab)
        }
        _ = try closedTabs.asOneClosing { () throws(TabListError) in
            for id in homes.keys.sorted() {
                let tabs = homes[id] ?? []
                let undone = tabs.filter { application.undoing.contains(.tab($0.id)) }
                try windows.window(id)?.tabs.close(undone, reason: .cleanup)
                for tab in undone { saves.mark(.closed(tab.id, isAsked: true)) }
                try windows.window(id)?.tabs.close(tabs.filter { $0.list != nil }, reason: .user)
            }
        }
    }

    /// Takes tabs that are in other lists to theirs.
    private func transfer() throws(TabListError) {
        for id in target.keys.sorted() {
            guard let list = windows.window(id)?.tabs else { continue }
            var coming: [ObjectIdentifier: (list: TabList, tabs: [Tab])] = [:]
            for record in target[id]?.tabs ?? [] {
                guard let tab = windows.registry[.regular].tab(record.id),
                    let source = tab.list, source !== list
                else { continue }
                coming[ObjectIdentifier(source), default: (source, [])].tabs.append(tab)
            }
            for (source, tabs) in coming.values { try source.transfer(tabs, to: list) }
        }
    }

    /// Gives a window the tabs, the structure and the attributes that it is to have.
    private func arrange(_ window: Window, as id: SessionID) {
        guard let session = target[id] else { return }
        let list = window.tabs
        let detached = context.regularDetachedTabs
        for record in session.tabs where application.tabsToRefill.contains(record.id) {
            if let tab = list.tab(record.id) { refill(tab, record) }
        }
        let new = session.tabs.filter {
            list.tab($0.id) == nil && !detached.has($0.id)
        }
        list.arrange(
            session.tabs, session.nodes, adding: new.map { context.tab($0, of: .regular) })
        for tab in new {
            saves.mark(.earlierStates(states[tab.id] ?? [:], of: tab.id, in: id))
        }
        setAttributes(of: window, session.attributes)
        let active = session.attributes.activeTab.flatMap { list.tab($0) }
        if list.activeTab !== active {
            if let active { try? list.activate(active) } else { try? list.deactivate() }
        }
        // A window that had nothing shows something.
        if id.kind.role == .window, window.tabOnScreen == nil, let last = session.tabs.shownTab {
            try? list.activate(last.id)
        }
    }

    /// Takes a tab back to the page that it had.
    private func refill(_ tab: Tab, _ record: TabMetadata) {
        if tab.isRealized {
            // It is realized again when it is active.
            if let list = tab.list, list.activeTab === tab { try? list.deactivate() }
            try? tab.unload()
        }
        let blobs = Dictionary(
            uniqueKeysWithValues: (states[tab.id] ?? [:]).map {
                (TabStateKey(tab: tab.id, name: $0.key, partition: .regular), $0.value)
            })
        tab.replaceState(with: context.states(of: .regular).state(of: record, blobs))
    }

    private func setAttributes(of window: Window, _ attributes: SessionAttributes) {
        if window.title != attributes.title { window.title = attributes.title }
        let names = Set(window.attributes.properties.keys).union(attributes.properties.keys)
        for name in names.sorted() where !OwnProperty.isOwn(name) {
            let value = attributes.properties[name]
            if window.attributes.properties[name] != value { window.setProperty(name, to: value) }
        }
    }

    // MARK: Closing

    /// Closes windows that are to be closed, or came since and are to go: these stay among the closed ones.
    private func closeWindows() throws(WindowListError) {
        let removed = changes.removedSessions
        let closed = target.values.filter { $0.attributes.closedAt != nil }.map(\.id)
        for id in (removed + closed).sorted() {
            guard let window = windows.window(id), id.kind.role == .window else { continue }
            try windows.close(window)
        }
        for window in target.keys.sorted().compactMap({ windows.window($0) }) {
            if window.isCompanion, window.tabs.isEmpty { try windows.close(window) }
        }
    }

    // MARK: What is not open

    private func saveHidden(_ id: SessionID) {
        guard let session = target[id], present.hidden.contains(id) || present.sessions[id] == nil
        else { return }
        var coming: [TabMetadata] = []
        var comingNodes: [StructureNode] = []
        for change in changes.changes {
            switch change {
            case .put(.tab(let tab, id)):
                coming.append(tab)
                if let states = states[tab.id] {
                    saves.mark(.earlierStates(states, of: tab.id, in: id))
                }
            case .put(.node(let node, id)): comingNodes.append(node)
            default: break
            }
        }
        guard id.kind != .recentlyClosed else { return closedTabs.keep(coming, comingNodes) }
        closedTabs.reopened(Set(coming.map(\.id)))
        for tab in coming { saves.mark(.put(tab, in: id, isAsked: true)) }
        let before = present.sessions[id]
        let hasOtherNodes = session.nodes != before?.nodes
        if hasOtherNodes || session.attributes != before?.attributes {
            saves.mark(.content(session.attributes, hasOtherNodes ? session.nodes : nil, for: id))
        }
    }

    /// Removes sessions out of sight that have nothing left.
    private func removeEmptied() {
        for id in changes.removedSessions
        where present.hidden.contains(id) {
            components.setAside[id] = nil
            saves.mark(.removedEmpty(id))
        }
    }

    /// Removes what is undone from what is not open, with windows that were only there because of it.
    private func forgetUndone() {
        for line in application.done
        where line.action == .remove && application.undoing.contains(line.item)
            && windows.window(line.session) == nil
        {
            switch line.item {
            case .tab(let tab): closedTabs.forget([tab], isAsked: true)
            case .node(let node): closedTabs.take(closedTabs.nodes.ids.intersection([node]))
            case .session(let id):
                try? windows.ids.forget(sessions: [id])
                saves.mark(.removed(id, isAsked: true))
            }
        }
    }
}
