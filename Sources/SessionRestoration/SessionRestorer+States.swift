public import BrowserModel
public import BrowserSessions

extension SessionRestorer {
    /// A tab's state, without realizing the tab: from its content, from memory or from the store.
    public func state(of tab: Tab) async throws(SessionRestorationError) -> TabState {
        if let content = tab.content { return content.captureState() }
        if let held = tab.heldState { return held }
        let side: StorageSide = tab.isOffTheRecord == true ? .incognito : .regular
        do throws(StorageError) {
            return try await states(of: side).loadStates(of: [tab.metadata])[tab.id] ?? TabState()
        } catch {
            throw .storage(error)
        }
    }

    /// The states of all tabs of a window, in order, without realizing any. They are read a few at a
    /// time, as they are asked for.
    public func states(in window: Window) -> TabStates {
        TabStates(tabs: window.tabs.tabs, restorer: self)
    }

    func states(of side: StorageSide) -> StoredTabStates {
        StoredTabStates(ledger, side, extra: policy.extraStates)
    }

    /// An unrealized tab from a state that is given: to open many tabs at once, or tabs of another
    /// device. Insert it into a list; it is saved with the next changes, and realized when it is
    /// selected.
    public func createUnrealizedTab(_ metadata: TabMetadata, state: TabState) -> Tab {
        var metadata = metadata
        if metadata.createdAt == .unknown { metadata.createdAt = now() }
        if metadata.lastActiveAt == .unknown { metadata.lastActiveAt = metadata.createdAt }
        metadata.navigationItemCount = Int32(clamping: state.history.entries.count)
        return Tab(unrealized: metadata, state: HeldTabState(state), engine: engine)
    }
}

/// The states of several tabs, read as they are asked for.
public struct TabStates: AsyncSequence {
    public typealias Element = (tab: TabID, state: TabState)

    let tabs: [Tab]
    let restorer: SessionRestorer

    public func makeAsyncIterator() -> Iterator { Iterator(tabs: tabs, restorer: restorer) }

    public struct Iterator: AsyncIteratorProtocol {
        private static let batch = 32
        let tabs: [Tab]
        let restorer: SessionRestorer
        private var next = 0
        private var ready: [TabID: TabState] = [:]

        init(tabs: [Tab], restorer: SessionRestorer) {
            self.tabs = tabs
            self.restorer = restorer
        }

        public mutating func next() async throws(SessionRestorationError) -> Element? {
            guard next < tabs.count else { return nil }
            let tab = tabs[next]
            next += 1
            if ready[tab.id] == nil, !tab.isRealized, tab.heldState == nil { try await read() }
            if let state = ready.removeValue(forKey: tab.id) { return (tab.id, state) }
            return (tab.id, try await restorer.state(of: tab))
        }

        private mutating func read() async throws(SessionRestorationError) {
            let batch = tabs[(next - 1)...].prefix(Self.batch).filter { !$0.isRealized }
            let side: StorageSide = batch.first?.isOffTheRecord == true ? .incognito : .regular
            do throws(StorageError) {
                ready = try await restorer.states(of: side).loadStates(of: batch.map(\.metadata))
            } catch {
                throw .storage(error)
            }
        }
    }
}
