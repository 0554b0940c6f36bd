import BrowserSessions

/// The page of an export.
struct HTMLWriter {
    let time: Timestamp

    func write(_ sessions: [ExportedSession]) throws(StorageError) -> [ExportedFile] {
        let buffer = HTMLPage.Buffer()
        var page = try HTMLPage(title: "Sessions", exportedAt: time, sink: buffer.add)
        for session in sessions {
            try page.begin(session.id, session.attributes)
            for tab in session.tabs {
                let history = tab.isHistoryUnreadable ? .unreadable : HTMLHistory.known(tab.history)
                try page.add(tab.metadata, history: history)
            }
            try page.endSession()
        }
        try page.finish()
        return [ExportedFile(path: "", bytes: buffer.bytes)]
    }
}
