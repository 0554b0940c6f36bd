import BrowserSessions

/// A writer of sessions as one page on which people find a tab. They can search, sort and print it
/// in a browser of 2024 or later. It is a single file that fetches nothing.
///
/// Tabs and their histories come in chunks. The page holds data from sessions as JSON, which no browser
/// runs, and again as a plain list, which browsers read only where scripts are off. The list has no
/// histories. The scripts build the page from text alone. The page's policy forbids everything else,
/// to the scripts and to anything that might get in.
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

    private var text = HTMLText()
    private var numbers = WindowNumbers()

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - title: The title at the top of the page and in its tab.
    ///   - exportedAt: The time at which the sessions were read.
    ///   - losses: What could not be read, in sentences for the top of the page.
    init(title: String, exportedAt: Timestamp, losses: [String] = []) {
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
    }

    /// Adds a session with its tabs.
    mutating func add(_ session: ExportedSession) {
        let page = HTMLSession(session, number: numbers.number(of: session.id))
        text.block("session", page.value)
        text.raw("<noscript><h2>")
        text.foreign(page.heading)
        text.raw("</h2>")
        text.losses(session.losses)
        text.raw("</noscript>\n")
        var chunk = Chunk()
        for (index, tab) in session.tabs.enumerated() {
            chunk.add(tab, of: page)
            let isFull =
                chunk.count >= Self.tabsInChunk || chunk.byteCount >= Self.bytesInChunk
            guard isFull || index == session.tabs.count - 1 else { continue }
            text.block("tabs", chunk.tabs)
            text.block("histories", chunk.histories)
            text.raw("<noscript><ol start=\"\(index + 2 - chunk.count)\">\n")
            text.raw(chunk.list.bytes)
            text.raw("</ol></noscript>\n")
            chunk = Chunk()
        }
    }

    /// Consecutive tabs of a session.
    private struct Chunk {
        var (tabs, histories) = (HTMLText(), HTMLText())
        /// The same tabs as items of a plain list.
        var list = HTMLText()
        var count = 0

        /// The size in memory in bytes.
        var byteCount: Int { tabs.bytes.count + histories.bytes.count + list.bytes.count }

        mutating func add(_ tab: ExportedTab, of session: HTMLSession) {
            if count > 0 {
                tabs.raw(",")
                histories.raw(",")
            }
            tabs.inert(session.value(of: tab))
            histories.inert(session.history(of: tab))
            session.list(tab, in: &list)
            count += 1
        }
    }

    /// Ends the page, and returns all of it.
    mutating func finish() -> [UInt8] {
        text.raw(HTMLPageParts.end)
        return text.bytes
    }
}

extension HTMLPage: FormatWriter {
    static func write(
        _ sessions: [ExportedSession], at time: Timestamp, _ losses: inout ExportLosses
    ) -> [ExportedFile] {
        var page = HTMLPage(title: "Sessions", exportedAt: time, losses: losses.unnamed)
        for session in sessions { page.add(session) }
        return [ExportedFile(path: "", bytes: page.finish())]
    }
}
