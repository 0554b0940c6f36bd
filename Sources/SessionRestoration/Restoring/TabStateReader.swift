public import BrowserModel
public import BrowserSessions

/// Reads the state of tabs without realizing them: ``SessionRestorer/states``.
public struct TabStateReader {
    private let context: RestorerContext

    init(_ context: RestorerContext) { self.context = context }

    /// Returns a tab's state from its page, from memory or from the store, without realizing the tab.
    ///
    /// - Throws: ``SessionRestorationError/tabList(_:)`` if no tab of an open window has the
    ///   identifier; ``SessionRestorationError/storage(_:)`` if the store cannot read the state
    ///   now.
    public func state(
        of tab: some TabReference
    ) async throws(SessionRestorationError) -> TabState {
        guard let tab = context.tab(tab) else { throw .tabList(.unknownTab(tab.tabID)) }
        if let state = tab.presentState { return state }
        do throws(StorageError) {
            return try await load([tab], of: tab.partition)[tab.id] ?? TabState()
        } catch {
            throw SessionRestorationError(error)
        }
    }

    /// Returns the icons that the host gave to the tabs' pages, without realizing any tab: for a
    /// tab strip at launch, without a network. Tabs without an icon are left out.
    ///
    /// - Throws: ``SessionRestorationError/storage(_:)`` if the store fails. A damaged icon is left
    ///   out.
    public func icons(
        of tabs: some Sequence<Tab>
    ) async throws(SessionRestorationError) -> [TabID: [UInt8]] {
        var icons: [TabID: [UInt8]] = [:]
        for partition in StoragePartition.allCases {
            let tabs = tabs.filter { $0.partition == partition }
            var stored: [TabID] = []
            for tab in tabs {
                if let icon = (tab.page?.extra ?? tab.heldState?.extra)?[.icon] {
                    icons[tab.id] = icon
                } else if !tab.isRealized {
                    stored.append(tab.id)
                }
            }
            do throws(StorageError) {
                icons.merge(try await context.states(of: partition).loadIcons(of: stored)) { $1 }
            } catch {
                throw SessionRestorationError(error)
            }
        }
        return icons
    }

    /// Returns the states of all tabs of a window, in order, without realizing any. They are read
    /// in small batches, as they are requested. An identifier means the regular window.
    ///
    /// - Throws: ``SessionRestorationError/window(_:)`` if the window of an identifier is not open.
    public func all(
        in window: some WindowReference
    ) throws(SessionRestorationError) -> TabStates {
        guard let window = window as? Window ?? context.windows.window(window.windowID) else {
            throw .window(.notOpen(SessionID(window: window.windowID)))
        }
        return TabStates(tabs: window.tabs.tabs, reader: self)
    }

    /// Returns an unrealized tab with a given state, to open many tabs at once or tabs of another
    /// device. Insert it into a list to save it with the next changes. Selecting it realizes it.
    public func createUnrealizedTab(_ metadata: TabMetadata, state: TabState) -> Tab {
        var metadata = metadata
        if metadata.createdAt == .unknown { metadata.createdAt = context.clock.now }
        if metadata.lastActiveAt == .unknown { metadata.lastActiveAt = metadata.createdAt }
        metadata.navigationItemCount = Int32(clamping: state.history.entries.count)
        return Tab(
            unrealized: 0, of: [metadata],
            origin: TabOrigin(state: HeldTabState(state), maker: context.pages))
    }

    fileprivate func load(
        _ tabs: [Tab], of partition: StoragePartition
    ) async throws(StorageError) -> [TabID: TabState] {
        try await context.states(of: partition).loadStates(of: tabs.map(\.metadata))
    }
}

/// The states of several tabs, read as they are requested.
public struct TabStates: AsyncSequence {
    /// The identifier of a tab, with its state.
    public typealias Element = (tab: TabID, state: TabState)

    let tabs: [Tab]
    let reader: TabStateReader

    public func makeAsyncIterator() -> Iterator { Iterator(tabs: tabs, reader: reader) }

    /// The iterator, which reads the states of up to 32 tabs together.
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

        /// Returns the next tab with its state; `nil` after the last one.
        ///
        /// - Throws: ``SessionRestorationError/storage(_:)`` if the store cannot read the state
        ///   now. The following call continues with the next tab.
        public mutating func next() async throws(SessionRestorationError) -> Element? {
            try await next(isolation: #isolation)
        }

        /// Returns the next tab with its state, as `for await` asks for it: in the isolation of the loop,
        /// because tabs are of the host's model.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SessionRestorationError) -> Element? {
            guard next < tabs.count else { return nil }
            let tab = tabs[next]
            next += 1
            if ready[tab.id] == nil, !tab.isRealized, tab.heldState == nil { try await read() }
            if let state = ready.removeValue(forKey: tab.id) { return (tab.id, state) }
            return (tab.id, try await reader.state(of: tab))
        }

        private mutating func read() async throws(SessionRestorationError) {
            // What a tab holds itself may be newer than what is saved.
            let batch = tabs[(next - 1)...].prefix(Self.batch).filter {
                !$0.isRealized && $0.heldState == nil
            }
            let partition = batch.first?.partition ?? .regular
            do throws(StorageError) {
                ready = try await reader.load(batch, of: partition)
            } catch {
                throw SessionRestorationError(error)
            }
        }
    }
}
