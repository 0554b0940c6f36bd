import BrowserSessions

/// A reader of one `session.plist` of Chrome for iOS, and of the engine's states of its tabs.
///
/// `NSKeyedArchiver` wrote such a file, which has no checksum. A truncated file has lost the table
/// at its end, so nothing in it can be read.
struct ChromeIOSArchiveReader {
    let path: String
    let limits: ImportLimits

    private var name: String { lastComponent(path) }

    func read() throws(StorageError) -> SourceReading {
        try read(try SourceFile.read(path, limit: limits.maximumFileBytes))
    }

    func read(_ bytes: [UInt8]) throws(StorageError) -> SourceReading {
        var archive = ChromeIOSArchive(try KeyedArchive(bytes, limits), file: name, limits)
        let windows = try archive.windows()
        var reading = SourceReading(limits: limits)
        reading.log = archive.log
        let session = sessionName
        let identity = session?.identity ?? SourceIdentity(.chromeIOSArchive, content: bytes)
        for (index, list) in windows.enumerated() {
            var builder = ChromeIOSSessionBuilder(
                list: list, identity: identity, draft: draft(session, identity, index))
            builder.build(&reading) { load($0, into: &$1, &$2) }
            reading.drafts.append(builder.draft)
        }
        return reading
    }

    /// The session that the file's directory names; `nil` if the file is elsewhere.
    private var sessionName: ChromeIOSSessionName? {
        guard ChromeIOSArchiveFormat.isArchive(named: name) else { return nil }
        let folder = parent(path)
        let session = ChromeIOSSessionName(lastComponent(folder))
        let isInPlace = ["Sessions", "Backups"].contains(lastComponent(parent(folder)))
        return isInPlace || WindowID(session.name) == session.window ? session : nil
    }

    private func draft(
        _ session: ChromeIOSSessionName?, _ identity: SourceIdentity, _ index: Int
    ) -> SessionDraft {
        let kind = name == ChromeIOSArchiveFormat.backupName ? .setAside : session?.kind ?? .regular
        if let session, index == 0 { return session.draft(kind, at: name) }
        return SessionDraft(
            id: SessionID(window: identity.identifier("window", String(index)), kind: kind),
            location: "\(name), window \(index)")
    }

    private func load(
        _ item: ChromeIOSList.Item, into tab: inout TabDraft, _ log: inout ProblemLog
    ) {
        if let archived = item.archived {
            tab.history = archived.history
            if archived.userAgent != .unspecified {
                tab.metadata.properties["chrome-ios.user-agent"] =
                    String(archived.userAgent.rawValue)
            }
        }
        guard sessionName != nil, item.message.identifier > 0 else { return }
        let digits = String(item.message.identifier)
        let states = joined(parent(parent(parent(path))), ChromeIOSArchiveFormat.statesFolder)
        let file = joined(states, String(repeating: "0", count: max(8 - digits.count, 0)) + digits)
        tab.loadNative(file, limit: limits.maximumStateBytes, &log)
    }
}
