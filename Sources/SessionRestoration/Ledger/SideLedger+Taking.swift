import BrowserModel
import BrowserSessions

// What is about to be sent, or to go, is taken from the model.
extension SideLedger {
    /// Takes what waits of a window that is about to go.
    func take(_ session: SessionID) {
        for (tab, var entry) in waiting {
            guard case .live(let live, session) = entry.wish else { continue }
            entry.wish = .taken(live.metadata, in: session)
            if entry.isStateDue || places[tab] == nil { take(stateOf: live, &entry) }
            waiting[tab] = entry
        }
        if case .live(let window)? = waitingSessions[session]?.wish {
            waitingSessions[session]?.wish = .taken(window.savedAttributes)
        }
    }

    /// Puts the blobs that the store does not have in place of what waits.
    func take(stateOf tab: Tab, _ entry: inout WaitingTab) {
        entry.isStateDue = false
        if let state = tab.presentState { take(state, of: tab.metadata, &entry) }
    }

    private func take(_ state: TabState, of tab: TabMetadata, _ entry: inout WaitingTab) {
        let encoding = encoding(of: state, tab)
        let known = places[tab.id]?.blobs ?? [:]
        for (name, bytes) in encoding.blobs {
            if known[name] == BlobDigest(bytes) {
                entry.blobs[name] = nil
            } else {
                entry.blobs.updateValue(bytes, forKey: name)
            }
        }
        note(encoding.leftOut, of: tab.id)
    }

    /// Marks the tab's state if it is another than that which was taken last: for an engine that may have
    /// told it late.
    func lookAgain(at tab: Tab, in session: SessionID) {
        guard waiting[tab.id]?.isStateDue != true, let state = tab.presentState,
            isNews(state, of: tab.metadata)
        else { return }
        mark(tab, in: session, state: true)
    }

    /// Puts a state that was told late in place of that with which a tab was taken, if nothing was done
    /// with the tab since.
    func take(_ state: TabState, ofTaken metadata: TabMetadata, in session: SessionID) {
        guard isKept(metadata.id, in: session), isNews(state, of: metadata) else { return }
        change(metadata.id) { waiting in
            if case .gone = waiting.wish { waiting.wish = .taken(metadata, in: session) }
            take(state, of: metadata, &waiting)
        }
    }

    private func isNews(_ state: TabState, of tab: TabMetadata) -> Bool {
        let known = places[tab.id]?.blobs ?? [:]
        return encoding(of: state, tab).blobs.contains { name, bytes in
            let last = waiting[tab.id]?.blobs[name].map { BlobDigest($0) } ?? known[name]
            return last != BlobDigest(bytes)
        }
    }

    private func encoding(of state: TabState, _ tab: TabMetadata) -> StateEncoding {
        StateEncoding(
            state, of: tab, names: limits.extraStates, maximumBytes: limits.maximumStateBytes)
    }

    private func note(_ leftOut: [StateName: Int], of tab: TabID) {
        guard let (name, bytes) = leftOut.min(by: { $0.key.rawValue < $1.key.rawValue }) else {
            partial[tab] = nil
            return
        }
        if partial[tab] == nil {
            for (name, bytes) in leftOut { onNotice(.stateLeftOut(tab, name, bytes: bytes)) }
        }
        partial[tab] = StorageError(
            .tooLarge,
            """
            the blob '\(name.rawValue)' has \(bytes) bytes; this store takes \
            \(limits.maximumStateBytes): it was left out
            """, operation: "save",
            subject: .state(TabStateKey(tab: tab, name: name, side: side)))
    }
}
