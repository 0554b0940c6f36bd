import BrowserSessions

extension Tab {
    /// Gives the tab its page, and returns when it has it; at once if it has it already.
    ///
    /// Avoid this for tabs that the user does not look at. Throws ``TabError/closed``, also when
    /// the tab was closed while its state was read, ``TabError/notInserted`` if it was never in a
    /// list, or what the state's source throws; the tab then stays unrealized and can be tried again.
    public func forceRealization() async throws {
        guard !isClosed else { throw TabError.closed }
        guard !isRealized else { return }
        guard home != nil else { throw TabError.notInserted }
        guard let source = origin.state else { return }
        if let state = source.stateInMemory(of: self) { return realize(with: state) }
        do {
            let state = try await source.loadState(of: self)
            guard !isClosed else { throw TabError.closed }
            // It may have been given another state meanwhile.
            if !isRealized { realize(with: heldState ?? state) }
        } catch {
            if isRealized { return }
            guard !isClosed else { throw TabError.closed }
            realizationDidFail()
            throw error
        }
    }

    /// Gives the tab its page with a state that was read, unless it has its page already, was closed,
    /// or was given another state meanwhile.
    package func realize(restoring state: TabState) {
        guard !isRealized, !isClosed, heldState == nil else { return }
        realize(with: state)
    }

    /// The state that it was to be realized with could not be read; it can be tried again.
    package func realizationDidFail() { if !isRealized, !isClosed { tell(.realizationFailed) } }

    /// Realizes the tab at once if its state is at hand, and soon if it must be read.
    func realizeForActivation() {
        guard let source = origin.state, !isRealized, !isClosed else { return }
        if let state = source.stateInMemory(of: self) {
            realize(with: state)
        } else {
            source.realizeSoon(self)
        }
    }

    private func realize(with state: TabState) {
        guard let home else { return }
        let before = metadata
        makePage(with: state, isOffTheRecord: home.isOffTheRecord)
        list?.tabWasRealized(self)
        tell(.realized)
        if metadata != before { tell(.navigated) }
    }

    /// Gives a new tab its page, without telling: it is being inserted.
    func makeFirstPage() {
        guard origin.isNew, !isRealized, let state = heldState, let home else {
            return
        }
        makePage(with: state, isOffTheRecord: home.isOffTheRecord)
    }

    /// Takes the page away and keeps its state: the tab is unrealized, with the same identifier, place
    /// and openers, until it is activated the next time. Its helpers end.
    ///
    /// What the engine has not told yet of what the user did last is lost; `RealizedTabs` of the
    /// restorer waits for it. Throws ``TabError/active`` for the tab in front of a list that
    /// realizes that one, and ``TabError/closed``; does nothing for an unrealized tab.
    public func unload() throws(TabError) {
        guard !isClosed else { throw .closed }
        guard let page else { return }
        if let list, list.activeTab === self, list.realizesActiveTab { throw .active }
        setHeldState(page.captureState())
        endHelpers()
        clearPage()
        page.end()
        tell(.unloaded)
    }

    /// The store has the state of an unrealized tab: it need not be held any more.
    package func letGoOfState(for source: any TabStateSource) {
        guard !isRealized, !isClosed else { return }
        origin = TabOrigin(state: source, maker: origin.maker)
    }

    /// Gives an unrealized tab another state than that which its source has. Does nothing once it is
    /// realized, or was closed.
    package func replaceState(with state: TabState) {
        guard !isRealized, !isClosed else { return }
        setHeldState(state)
        metadata.navigationItemCount = Int32(clamping: state.history.entries.count)
        tell(.stateChanged)
    }

    private func setHeldState(_ state: TabState) {
        origin = TabOrigin(
            state: HeldTabState(state), maker: origin.maker,
            reason: isRealized ? .restored : origin.reason)
    }

    /// The state of an unrealized tab, if it is held in memory. A realized tab has its page.
    public var heldState: TabState? { isRealized ? nil : origin.state?.stateInMemory(of: self) }

    /// The state as it is now: of its page, or what is held; `nil` if it must be read.
    package var presentState: TabState? { page?.captureState() ?? heldState }

    /// Closes a tab that was detached from its list and goes nowhere. Closing twice is fine.
    ///
    /// Tabs in a list are closed by the list.
    public func close() {
        guard list == nil else { return ModelRule.listsCloseTheirTabs.wasBroken() }
        end()
    }
}
