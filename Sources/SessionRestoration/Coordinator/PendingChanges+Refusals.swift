import BrowserModel
import BrowserSessions

/// The handling of records that the store refuses.
extension PendingChanges {
    /// Leaves a refused record, or part of it, out of the next change set. What has changed since it was sent
    /// is sent whole: the refusal says nothing about it.
    ///
    /// - Returns: `false` if nothing can be left out.
    mutating func refuse(
        _ subject: StorageError.Subject, _ sent: OutgoingChanges, _ error: StorageError
    ) -> Bool {
        switch subject {
        case .state(let key):
            guard let digest = sent.blobs[key.tab]?[key.name], tabs[key.tab] != nil else {
                return false
            }
            tabs[key.tab]?.refusal.blobs[key.name] = digest
            return refused(key.tab, error)
        case .record(.tab(let tab), _):
            guard let pending = tabs[tab], !pending.refusal.whole else { return false }
            if isOlder(sent.tabs[tab]?.version, than: pending.version) { return true }
            tabs[tab]?.refusal.leaveOutMore(lastStage: PendingTab.lastStage)
            return refused(tab, error)
        case .record(.session(let session), _):
            if isOlder(sent.sessions[session], than: sessions[session]?.version) { return true }
            return refused(session, error)
        case .record(.node(let node), let id): return refuse(node, in: id, sent, error)
        @unknown default: return false
        }
    }

    /// Returns whether what was sent is of an older version; 0 is that of what is sent for others' sake.
    private func isOlder(_ sent: Int?, than version: Int?) -> Bool {
        if let sent, let version { sent != 0 && sent < version } else { false }
    }

    private mutating func refused(_ tab: TabID, _ error: StorageError) -> Bool {
        if tabs[tab]?.refusal.error == nil { notify(.tabNotSaved(tab, error)) }
        tabs[tab]?.refusal.error = error
        return true
    }

    /// Leaves a group where it is, or saves it under another identifier, if the store refused to remove or
    /// to move it because of tabs that it has there. Otherwise leaves out more of the session.
    private mutating func refuse(
        _ node: NodeID, in session: SessionID, _ sent: OutgoingChanges, _ error: StorageError
    ) -> Bool {
        guard let content = sent.nodes[session]?[node] else { return false }
        if content == nil {
            guard let pending = sessions[session], !pending.refusal.keepsGroups else {
                return false
            }
            sessions[session]?.refusal.keepsGroups = true
            return true
        }
        if error.code == .invalidChanges, storedNodes.rename(node, in: session) != nil {
            return true
        }
        return refused(session, error)
    }

    private mutating func refused(_ session: SessionID, _ error: StorageError) -> Bool {
        guard var pending = sessions[session], !pending.refusal.whole else { return false }
        pending.refusal.leaveOutMore(lastStage: pending.isGone ? 0 : SessionContent.lastStage)
        if pending.refusal.error == nil { notify(.windowNotSaved(session, error)) }
        pending.refusal.error = error
        sessions[session] = pending
        return true
    }

    /// Leaves out part or all of a single record that the store refused without a reason.
    mutating func refuse(_ record: SessionItem, _ sent: OutgoingChanges, _ error: StorageError)
        -> Bool
    {
        switch record {
        case .session(let session):
            return refuse(.record(.session(session), in: session), sent, error)
        case .tab(let tab):
            let largest = sent.blobs[tab]?.keys.max {
                (size(of: $0, tab), $0.rawValue) < (size(of: $1, tab), $1.rawValue)
            }
            if let largest {
                let key = TabStateKey(tab: tab, name: largest, partition: partition)
                return refuse(.state(key), sent, error)
            }
            let session = SessionID(window: .profileWide)
            return refuse(.record(.tab(tab), in: session), sent, error)
        case .node: return false
        }
    }

    private func size(of name: StateName, _ tab: TabID) -> Int {
        (tabs[tab]?.blobs[name] ?? nil)?.count ?? 0
    }
}

extension TabMetadata {
    private static let longestURL = 64 * 1024
    private static let longestTitle = 8 * 1024

    /// The metadata with an address and a title of limited length, because `data:` addresses may
    /// have megabytes. The history keeps them whole.
    var shortened: TabMetadata {
        guard url.utf8.count > Self.longestURL || title.utf8.count > Self.longestTitle else {
            return self
        }
        return cut(url: Self.longestURL, title: Self.longestTitle)
    }

    /// The minimal metadata that identifies the tab and how it was closed. Every store accepts it.
    var lean: TabMetadata {
        var copy = cut(url: 2048, title: 256)
        copy.properties = properties.filter {
            OwnProperty.isOwn($0.key) && $0.key.utf8.count + $0.value.utf8.count <= 512
        }
        copy.faviconURL = ""
        return copy
    }

    private func cut(url longestURL: Int, title longestTitle: Int) -> TabMetadata {
        var copy = self
        copy.url = url.cut(longestURL)
        copy.title = title.cut(longestTitle)
        return copy
    }
}
