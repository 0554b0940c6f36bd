import BrowserSessions

/// Writes sessions as one page on which people find a tab: searched, sorted and printed in a browser
/// of 2024 or later, from a single file that fetches nothing.
///
/// The page is written piece by piece: the writer itself keeps no more than a chunk of at most
/// ``tabsInChunk`` tabs and their histories. What comes from sessions is in the page as JSON, which no
/// browser runs, and once more as a plain list, which browsers read only where scripts are off; of
/// histories the list tells nothing. The scripts build the page of texts alone, and its policy
/// forbids them, and whatever else might get in, everything beyond that.
///
/// ```
/// page       {"exportedAt","losses":[text,…],"title"}
/// session    {"closedAt","groups":[{"color","isCollapsed","title"},…],"kind","lastActiveAt",
///             "losses","number","title"}
/// tabs       [{"createdAt","entries","group":index or null,"isActive","isHistoryUnreadable",
///             "isPinned","lastActiveAt","title","url"},…]
/// histories  [{"current":index or null,"entries":[{"time","title","url"},…]} or null,…]
/// ```
///
/// These blocks follow each other; one of histories belongs to the block of tabs before it. Windows
/// are numbered in the order in which they come, closed tabs of no such window have the number 0, `closedAt` is
/// null but for closed windows, and times are microseconds since 1970.
struct HTMLPage {
    /// A chunk ends with so many tabs …
    static let tabsInChunk = 256
    /// … or so many bytes, whichever comes first.
    static let bytesInChunk = 1 << 20

    private let sink: CanonicalJSON.Sink
    private var numbers = WindowNumbers()
    private var session = HTMLSession()
    private var chunk = HTMLChunk()

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - title: What the page is called, at its top and in its tab.
    ///   - exportedAt: When the sessions were read.
    ///   - losses: What could not be read, in sentences; the page names it at its top.
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

    /// Begins a session; its tabs follow.
    ///
    /// - Parameter losses: What could not be read of it, in sentences.
    mutating func begin(_ id: SessionID, _ attributes: SessionAttributes, losses: [String] = [])
        throws(StorageError)
    {
        let number = numbers.number(of: id)
        session = HTMLSession(id: id, number: number, attributes: attributes)
        var text = HTMLText()
        text.block("session", session.value(losses: losses))
        text.raw("<noscript><h2>")
        text.foreign(session.heading)
        text.raw("</h2>")
        text.losses(losses)
        text.raw("</noscript>\n")
        try sink(text.bytes)
    }

    /// Adds the next tab of the session; of its states only the history is looked at.
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

    /// The whole page of sessions in memory, in their order.
    static func bytes(
        of sessions: [SessionSnapshot], title: String, exportedAt: Timestamp,
        losses: [String] = []
    ) throws(StorageError) -> [UInt8] {
        let buffer = Buffer()
        var page = try HTMLPage(
            title: title, exportedAt: exportedAt, losses: losses, sink: buffer.add)
        for session in sessions {
            try page.begin(session.id, session.attributes)
            for tab in session.tabs { try page.add(tab) }
            try page.endSession()
        }
        try page.finish()
        return buffer.bytes
    }

    /// Collects what is written.
    final class Buffer {
        private(set) var bytes: [UInt8] = []

        func add(_ more: [UInt8]) throws(StorageError) { bytes += more }
    }
}
