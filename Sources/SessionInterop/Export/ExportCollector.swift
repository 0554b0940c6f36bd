import BrowserSessions

/// A collector of sessions, tab by tab. It keeps what a format can hold, and counts the rest.
struct ExportCollector {
    private let exporter: SessionExporter
    private(set) var losses: ExportLosses
    private(set) var sessions: [ExportedSession] = []
    /// The windows of the session that is being collected.
    private var current: [ExportedSession] = []
    /// Those of tabs that are not in the first of them.
    private var windowOfTab: [TabID: Int] = [:]
    /// The part to count instead, if the format cannot hold the tabs or they were not requested.
    private var leftOut: SessionPart?
    private var closedWindows: Set<WindowID> = []
    /// The tabs with a damaged history that are still to come.
    private var damaged: Set<TabID> = []

    init(_ exporter: SessionExporter) {
        self.exporter = exporter
        losses = ExportLosses(format: exporter.format)
    }

    mutating func begin(_ session: RestoredSession) {
        let id = session.id
        let place = place(of: session)
        (current, windowOfTab) = ([], [:])
        leftOut = place.flatMap { exporter.format.holds.contains($0) ? nil : $0 }
        if place == .closedWindows { closedWindows.insert(id.window) }
        guard id.kind.role != .notes else { return }
        current = ExportedSession.windows(of: session, place: place)
        for (index, space) in current.enumerated().dropFirst() {
            for tab in space.flat?.keys ?? [:].keys { windowOfTab[tab] = index }
        }
        current[0].losses = session.lossLines
        if id.partition == .incognito,
            !exporter.includesIncognito || !exporter.format.holds.contains(.incognitoTabs)
        {
            leftOut = .incognitoTabs
        }
    }

    /// Returns the kind of a session's tabs; `nil` for open ones. A companion needs a known window.
    private func place(of session: RestoredSession) -> SessionPart? {
        let kind = session.id.kind.onTheRecord
        if kind == .recentlyClosed { return .closedTabs }
        if kind == .transit { return nil }
        if kind == .setAside || kind.role == .shelf { return .setAsideTabs }
        if session.attributes.closedAt != nil { return .closedWindows }
        guard kind.role == .companion else { return nil }
        if closedWindows.contains(session.id.window) { return .closedWindows }
        return kind == .backup ? .closedTabs : .inactiveTabs
    }

    mutating func add(_ tab: TabSnapshot) {
        guard !current.isEmpty else { return }
        let isDamaged = damaged.remove(tab.metadata.id) != nil
        if let leftOut {
            losses.add(leftOut)
        } else {
            current[windowOfTab[tab.metadata.id] ?? 0].add(
                tab, isDamaged: isDamaged, for: exporter.format, &losses)
        }
    }

    mutating func endSession() {
        guard leftOut == nil else { return }
        for var session in current {
            if session.tabs.isEmpty {
                // Without tabs, only an open window is worth anything.
                guard session.place == nil, session.id.kind.role == .window else { continue }
                guard !exporter.format.isOfADesktopBrowser else {
                    losses.add(.emptyWindows)
                    continue
                }
            }
            session.tidy()
            losses.count(session)
            sessions.append(session)
        }
    }

    /// Returns the sessions in the order of formats: open windows with their companions, closed
    /// windows, and then everything else. Tabs between two windows join the first open session of
    /// their partition, as at a launch, or become a window if there is none.
    ///
    /// - Parameter isOfStore: Whether open windows come in the order in which they were opened, as at a
    ///   launch, instead of the order in which they were collected.
    func arranged(isOfStore: Bool) -> [ExportedSession] {
        var all = sessions
        let windows = all.filter { $0.id.kind.role == .window }
        let open = Dictionary(firstOf: windows.flatMap(\.groups).map { ($0.id, $0) })
        for index in all.indices { all[index].rejoin(open) }
        for index in all.indices where all[index].id.kind.onTheRecord == .transit {
            let isIncognito = all[index].isIncognito
            for tab in all[index].tabs.indices { all[index].tabs[tab].metadata.group = nil }
            guard
                let home = all.firstIndex(where: {
                    $0.place == nil && $0.isIncognito == isIncognito
                        && $0.id.kind.onTheRecord != .transit
                })
            else { continue }
            all[home].tabs += all[index].tabs
            all[home].tidy()
            all[index].tabs = []
        }
        all.removeAll { $0.tabs.isEmpty && $0.id.kind.onTheRecord == .transit }
        let order = Self.order(of: all, isOfStore: isOfStore)
        let keys = all.map { session in
            let rank = [nil, .closedWindows, .inactiveTabs].firstIndex(of: session.place)
            let window = order[session.id.window]
            let isOfOpenWindow = session.id.kind.role == .companion && window != nil
            let phase = isOfOpenWindow && session.place != .closedWindows ? 0 : rank ?? 3
            return (phase, phase < 2 ? window ?? .max : 0)
        }
        return all.indices.sorted {
            (keys[$0].0, keys[$0].1, $0) < (keys[$1].0, keys[$1].1, $1)
        }.map { all[$0] }
    }

    /// Returns the positions of windows. Spaces come after all windows.
    private static func order(of all: [ExportedSession], isOfStore: Bool) -> [WindowID: Int] {
        var opened: [WindowID: Timestamp] = [:]
        var windows: [WindowID] = []
        for session in all where session.id.kind.role == .window {
            let window = session.id.window
            if opened[window] == nil { windows.append(window) }
            let time =
                session.isSpace ? Timestamp(microseconds: .max) : session.attributes.createdAt
            opened[window] = min(opened[window] ?? time, time)
        }
        if isOfStore {
            let times = windows.map { opened[$0] ?? .unknown }
            windows = windows.indices.sorted { (times[$0], $0) < (times[$1], $1) }
                .map { windows[$0] }
        }
        return Dictionary(firstOf: windows.enumerated().map { ($1, $0) })
    }

    /// Records a loss of a store.
    mutating func note(_ loss: Loss) {
        if loss.kind == .state, let tab = loss.tab { damaged.insert(tab) }
        if loss.session == nil, !losses.unnamed.contains(loss.detail) {
            losses.unnamed.append(loss.detail)
        }
    }
}
