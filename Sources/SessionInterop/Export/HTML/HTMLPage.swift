import BrowserSessions

/// A writer of sessions as one page on which people find a tab. They can search, sort and print it
/// in a browser of 2024 or later. It is a single file that fetches nothing.
///
/// The page is written piece by piece. The writer keeps at most one chunk of ``tabsInChunk`` tabs
/// and their histories. The page holds data from sessions as JSON, which no browser runs, and again
/// as a plain list, which browsers read only where scripts are off. The list has no histories. The
/// scripts build the page from text alone. The page's policy forbids everything else, to the
/// scripts and to anything that might get in.
///
/// ```
/// page       {"exportedAt","losses":[text,…],"title"}
/// session    {"closedAt","groups":[{"color","isCollapsed","title"},…],"isSpace","kind",
///             "lastActiveAt","losses","number","title"}
/// tabs       [{"createdAt","entries","group":index or null,"isActive","isHistoryUnreadable",
///             "isPinned","lastActiveAt","title","url"},…]
/// histories  [{"current":index or null,"entries":[{"time","title","url"},…]} or null,…]
/// ```
///
/// These blocks follow each other. A block of histories belongs to the block of tabs before it.
/// Windows are numbered in order. Closed tabs that belong to no such window have the number 0.
/// `closedAt` is null except for closed windows, and times are microseconds since 1970.
struct HTMLPage {
    /// The number of tabs after which a chunk ends.
    static let tabsInChunk = 256
    /// The number of bytes after which a chunk ends, even if it has fewer tabs.
    static let bytesInChunk = 1 << 20

    private let sink: CanonicalJSON.Sink
    private var numbers = WindowNumbers()
    private var session = HTMLSession()
    private var chunk = HTMLChunk()

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - title: The title at the top of the page and in its tab.
    ///   - exportedAt: The time at which the sessions were read.
    ///   - losses: What could not be read, in sentences for the top of the page.
    init(
        title: String, exportedAt: Timestamp, losses: [String] = [],
        sink: @escaping CanonicalJSON.Sink
    ) throws(StorageError) {
        self.sink = sink
        var text = HTMLText()
        text.raw(HTMLPageParts.beginning(title: title))
        text.raw("<noscript><header><h1>")
        text.foreign(title)
        text.raw("</h1><p>Written \(exportedAt.inWords). ")
        text.raw("These are all tabs as a plain list: to search and to sort them, and to see their")
        text.raw(" histories, turn scripts on for this file.</p>")
        text.losses(losses)
        text.raw("</header></noscript>\n")
        text.block(
            "page",
            .object([
                "exportedAt": .integer(exportedAt.microseconds),
                "losses": .array(losses.map { .string($0) }),
                "title": .string(title),
            ]))
        try sink(text.bytes)
    }

    /// Begins a session. Its tabs follow.
    ///
    /// - Parameters:
    ///   - isSpace: Whether it is a space of a library, which stands apart from windows.
    ///   - losses: What could not be read of the session, in sentences.
    mutating func begin(
        _ id: SessionID, _ attributes: SessionAttributes, _ list: FlatTabList,
        isSpace: Bool = false, losses: [String] = []
    ) throws(StorageError) {
        let number = numbers.number(of: id)
        session = HTMLSession(id: id, number: number, attributes: attributes, list)
        session.isSpace = isSpace
        var text = HTMLText()
        text.block("session", session.value(losses: losses))
        text.raw("<noscript><h2>")
        text.foreign(session.heading)
        text.raw("</h2>")
        text.losses(losses)
        text.raw("</noscript>\n")
        try sink(text.bytes)
    }

    /// Adds the next tab of the session. Uses only the history of its states.
    mutating func add(_ tab: TabSnapshot) throws(StorageError) {
        try add(tab.metadata, history: HTMLHistory(of: tab))
    }

    /// Adds the next tab of the session.
    mutating func add(_ tab: TabMetadata, history: HTMLHistory) throws(StorageError) {
        chunk.add(session.value(of: tab, history), history)
        session.list(tab, history, in: &chunk.list)
        if chunk.count >= Self.tabsInChunk || chunk.byteCount >= Self.bytesInChunk {
            try flush()
        }
    }

    /// Ends the session.
    mutating func endSession() throws(StorageError) { try flush() }

    /// Ends the page.
    func finish() throws(StorageError) { try sink(HTMLPageParts.end) }

    private mutating func flush() throws(StorageError) {
        guard chunk.count > 0 else { return }
        try sink(chunk.bytes(from: session.tabCount - chunk.count + 1))
        chunk = HTMLChunk()
    }

    /// Returns the whole page of sessions in memory, in their order.
    static func bytes(
        of sessions: [SessionSnapshot], title: String, exportedAt: Timestamp,
        losses: [String] = []
    ) throws(StorageError) -> [UInt8] {
        let buffer = Buffer()
        var page = try HTMLPage(
            title: title, exportedAt: exportedAt, losses: losses, sink: buffer.add)
        for session in sessions {
            try page.begin(session.id, session.attributes, FlatTabList(session))
            for tab in session.tabs { try page.add(tab) }
            try page.endSession()
        }
        try page.finish()
        return buffer.bytes
    }

    /// A buffer that collects the output.
    final class Buffer {
        private(set) var bytes: [UInt8] = []

        func add(_ more: [UInt8]) throws(StorageError) { bytes += more }
    }
}
