import BrowserSessions

/// A writer of the page of an export.
struct HTMLWriter {
    let time: Timestamp

    /// - Parameter losses: The losses that do not belong to a known session.
    func write(_ sessions: [ExportedSession], losses: [String]) throws(StorageError)
        -> [ExportedFile]
    {
        let buffer = HTMLPage.Buffer()
        var page = try HTMLPage(
            title: "Sessions", exportedAt: time, losses: losses, sink: buffer.add)
        for session in sessions {
            try page.begin(
                session.id, session.attributes,
                FlatTabList(tabs: session.tabs.map(\.metadata), nodes: session.groups),
                isSpace: session.isSpace, losses: session.losses)
            for tab in session.tabs {
                let history: HTMLHistory =
                    switch tab.origin {
                    case .saved: .known(tab.history)
                    case .metadata: .absent
                    case .unreadable: .unreadable
                    }
                try page.add(tab.metadata, history: history)
            }
            try page.endSession()
        }
        try page.finish()
        return [ExportedFile(path: "", bytes: buffer.bytes)]
    }
}
