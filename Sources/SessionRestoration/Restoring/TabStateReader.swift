public import BrowserModel
public import BrowserSessions

/// Reads what tabs can go back to without realizing them: ``SessionRestorer/states``.
public final class TabStateReader {
    private let context: RestorerContext

    init(_ context: RestorerContext) { self.context = context }

    /// A tab's state, without realizing the tab: from its content, from memory or from the store.
    ///
    /// Throws ``SessionRestorationError/tabList(_:)`` if no tab of an open window has the identifier.
    public func state(
        of tab: some TabReference
    ) async throws(SessionRestorationError) -> TabState {
        guard let tab = context.tab(tab) else { throw .tabList(.unknownTab(tab.tabID)) }
        if let state = tab.presentState { return state }
        let side: StorageSide = tab.isOffTheRecord == true ? .incognito : .regular
        do throws(StorageError) {
            return try await load([tab], of: side)[tab.id] ?? TabState()
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// The icons of tabs, as the host has given them to their pages, without realizing any: for a strip of
    /// tabs at launch, without a network. Tabs without one are left out.
    public func icons(
        of tabs: some Sequence<Tab>
    ) async throws(SessionRestorationError) -> [TabID: [UInt8]] {
        var icons: [TabID: [UInt8]] = [:]
        for side in StorageSide.allCases {
            let tabs = tabs.filter { ($0.isOffTheRecord == true) == (side == .incognito) }
            var stored: [TabID] = []
            for tab in tabs {
                if let icon = (tab.page?.extra ?? tab.heldState?.extra)?[.icon] {
                    icons[tab.id] = icon
                } else if !tab.isRealized {
                    stored.append(tab.id)
                }
            }
            do throws(StorageError) {
                icons.merge(try await context.states(of: side).loadIcons(of: stored)) { $1 }
            } catch {
                throw SessionRestorationError(error)
            }
        }
        return icons
    }

    /// The states of all tabs of a window, in order, without realizing any. They are read a few at a
    /// time, as they are asked for. An identifier means the regular window.
    ///
    /// Throws ``SessionRestorationError/window(_:)`` if the window of an identifier is not open.
    public func all(
        in window: some WindowReference
    ) throws(SessionRestorationError) -> TabStates {
        guard let window = window as? Window ?? context.windows.window(window.windowID) else {
            throw .window(.notOpen(SessionID(window: window.windowID)))
        }
        return TabStates(tabs: window.tabs.tabs, reader: self)
    }

    /// An unrealized tab from a state that is given: to open many tabs at once, or tabs of another
    /// device. Insert it into a list; it is saved with the next changes, and realized when it is
    /// selected.
    public func createUnrealizedTab(_ metadata: TabMetadata, state: TabState) -> Tab {
        var metadata = metadata
        if metadata.createdAt == .unknown { metadata.createdAt = context.now() }
        if metadata.lastActiveAt == .unknown { metadata.lastActiveAt = metadata.createdAt }
        metadata.navigationItemCount = Int32(clamping: state.history.entries.count)
        return Tab(
            unrealized: 0, of: [metadata],
            origin: TabOrigin(state: HeldTabState(state), maker: context.pages))
    }

    fileprivate func load(
        _ tabs: [Tab], of side: StorageSide
    ) async throws(StorageError) -> [TabID: TabState] {
        try await context.states(of: side).loadStates(of: tabs.map(\.metadata))
    }
}

/// The states of several tabs, read as they are asked for.
public struct TabStates: AsyncSequence {
    public typealias Element = (tab: TabID, state: TabState)

    let tabs: [Tab]
    let reader: TabStateReader

    public func makeAsyncIterator() -> Iterator { Iterator(tabs: tabs, reader: reader) }

    public struct Iterator: AsyncIteratorProtocol {
        private static let batch = 32
        let tabs: [Tab]
        let reader: TabStateReader
        private var next = 0
        private var ready: [TabID: TabState] = [:]

        init(tabs: [Tab], reader: TabStateReader) {
            self.tabs = tabs
            self.reader = reader
        }

        public mutating func next() async throws(SessionRestorationError) -> Element? {
            guard next < tabs.count else { return nil }
            let tab = tabs[next]
            next += 1
            if ready[tab.id] == nil, !tab.isRealized, tab.heldState == nil { try await read() }
            if let state = ready.removeValue(forKey: tab.id) { return (tab.id, state) }
            return (tab.id, try await reader.state(of: tab))
        }

        private mutating func read() async throws(SessionRestorationError) {
            let batch = tabs[(next - 1)...].prefix(Self.batch).filter { !$0.isRealized }
            let side: StorageSide = batch.first?.isOffTheRecord == true ? .incognito : .regular
            do throws(StorageError) {
                ready = try await reader.load(batch, of: side)
            } catch {
                throw SessionRestorationError(error)
            }
        }
    }
}
