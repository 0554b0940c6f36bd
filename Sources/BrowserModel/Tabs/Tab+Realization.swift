import BrowserSessions

extension Tab {
    /// Gives the tab its page, and returns when the tab has it; immediately if it already does.
    ///
    /// Avoid this for tabs that the user is not viewing.
    ///
    /// - Throws: ``TabError/closed``, also if the tab is closed while its state is read;
    ///   ``TabError/notInserted`` if it was never in a list; or the error of the state's source.
    ///   The tab then stays unrealized, and you can try again.
    public func forceRealization() async throws {
        guard !isClosed else { throw TabError.closed }
        guard !isRealized else { return }
        guard membership != nil else { throw TabError.notInserted }
        guard let source = origin.state else { return }
        if let state = source.stateInMemory(of: self) { return realize(with: state) }
        do {
            let state = try await source.loadState(of: self)
            guard !isClosed else { throw TabError.closed }
            // The tab may have received another state in the meantime.
            if !isRealized { realize(with: heldState ?? state) }
        } catch {
            if isRealized { return }
            guard !isClosed else { throw TabError.closed }
            realizationDidFail()
            throw error
        }
    }

    /// Gives the tab its page with a state that was read. Does nothing if the tab already has its
    /// page, was closed, or received another state in the meantime.
    package func realize(restoring state: TabState) {
        guard !isRealized, !isClosed, heldState == nil else { return }
        realize(with: state)
    }

    /// Reports that the tab's state could not be read. Realizing the tab can be tried again.
    package func realizationDidFail() { if !isRealized, !isClosed { tell(.realizationFailed) } }

    /// Realizes the tab now if its state is in memory, or soon if the state must be read.
    func realizeForActivation() {
        guard let source = origin.state, !isRealized, !isClosed else { return }
        if let state = source.stateInMemory(of: self) {
            realize(with: state)
        } else {
            source.realizeSoon(self)
        }
    }

    private func realize(with state: TabState) {
        guard let membership else { return }
        let before = metadata
        makePage(with: state, in: membership)
        owner?.tabWasRealized(self)
        tell(.realized)
        if metadata != before { tell(.navigated) }
    }

    /// Gives a new tab its page during insertion, without notifying observers.
    func makeFirstPage() {
        guard origin.isNew, !isRealized, let state = heldState, let membership else {
            return
        }
        makePage(with: state, in: membership)
    }

    /// Removes the page and keeps its state. The tab is then unrealized, with the same identifier,
    /// order key and openers, until it is next activated. Its helpers end.
    ///
    /// Recent user actions that the engine has not reported yet are lost; the restorer's
    /// `RealizedTabs` waits for them. Does nothing for an unrealized tab.
    ///
    /// - Throws: ``TabError/active`` for the active tab of a list that realizes its active tab;
    ///   ``TabError/closed``.
    public func unload() throws(TabError) {
        guard !isClosed else { throw .closed }
        guard let page else { return }
        if let owner, owner.activeTab === self, owner.realizesActiveTab { throw .active }
        setHeldState(page.captureState())
        endHelpers()
        clearPage()
        page.end()
        tell(.unloaded)
    }

    /// Releases the state of an unrealized tab, because the store has it.
    package func letGoOfState(for source: any TabStateSource) {
        guard !isRealized, !isClosed else { return }
        origin = TabOrigin(state: source)
    }

    /// Replaces the state that the source of an unrealized tab has. Does nothing if the tab is
    /// realized or was closed.
    package func replaceState(with state: TabState) {
        guard !isRealized, !isClosed else { return }
        setHeldState(state)
        metadata.navigationItemCount = Int32(clamping: state.history.entries.count)
        tell(.stateChanged)
    }

    private func setHeldState(_ state: TabState) {
        origin = TabOrigin(
            state: HeldTabState(state), reason: isRealized ? .restored : origin.reason)
    }

    /// The state of an unrealized tab if it is in memory; `nil` for a realized tab.
    public var heldState: TabState? { isRealized ? nil : origin.state?.stateInMemory(of: self) }

    /// The current state, from the page or from memory; `nil` if the state must be read.
    package var presentState: TabState? { page?.captureState() ?? heldState }

    /// Closes a detached tab that will not enter another list. Closing it again has no effect.
    ///
    /// Close a tab that is in a list through the list.
    public func close() {
        guard owner == nil else { return ModelRule.listsCloseTheirTabs.wasBroken() }
        end()
    }
}
