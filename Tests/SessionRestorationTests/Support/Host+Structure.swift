import BrowserModel
import BrowserSessions
import SessionRestoration
import SessionTesting

/// Hosts of folders, splits and trees.
extension Host {
    /// A host that shows all structure, and has restored.
    static func structured(
        _ storage: FaultyStorage = FaultyStorage(), clock: ManualClock = ManualClock(),
        policy: RestorationPolicy = RestorationPolicy()
    ) async throws -> Host {
        let host = Host(storage: storage, clock: clock, policy: policy)
        host.windows.structureRules = .everything
        try await host.restorer.restore()
        return host
    }

    /// A host that shows all structure, with a window of these tabs.
    static func structuredWindow(
        _ titles: String..., policy: RestorationPolicy = RestorationPolicy()
    ) async throws -> (host: Host, window: Window) {
        let host = try await structured(policy: policy)
        let window = try host.windows.open()
        for title in titles {
            try window.tabs.insert(
                Tab(
                    url: "https://\(title).example/", title: title, createdAt: host.clock.timestamp)
            )
        }
        return (host, window)
    }

    /// The process saves, if it is to, and is killed; another one opens the store.
    func next(saving saves: Bool = true) async throws -> Host {
        if saves { try await restorer.save() }
        return try await Self.structured(
            FaultyStorage(storage.base), clock: clock, policy: restorer.policy)
    }
}

extension TabList {
    /// The tabs and nodes by title or name, indented by depth.
    var outline: [String] {
        forest.rows.map { row in
            let indent = String(repeating: "  ", count: row.depth)
            switch row.content {
            case .tab(let tab): return indent + tab.title
            case .node(let node):
                return indent + (node.name.isEmpty ? node.kind.rawValue : node.name)
            }
        }
    }
}
