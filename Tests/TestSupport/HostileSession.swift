public import BrowserSessions

/// A session for what shows sessions: every text and address in it tries to be more than it is.
public enum HostileSession {
    /// Texts that try to be more than texts.
    public static let texts = [
        "</script><script>document.title = 'run'</script>", "<script>document.title = 'run'",
        "<!--<script>", "--><script>document.title = 'run'</script>", "]]><b>",
        "</noscript><img src=x onerror=\"document.title = 'run'\">",
        "</title></style></textarea><b>",
        "<svg onload=document.title='run'>", "\"><b x=\"", "'><b x='", "&lt;b&gt; &amp;amp;",
        "\\u003cb\\u003e \\\\ \\", "a\u{0}b\u{1}c\u{7F}\u{85}", "\u{2028}\u{2029}",
        "x\u{FEFF}\u{200B}y",
        "\u{202E}txt.exe\u{202C} \u{2066}\u{2067}\u{2069}", "\u{FFFE}\u{10FFFF}", "\r\n\t ",
        "Fußball über größte İstanbul 👩‍👩‍👧‍👦 שלום نص", "{{title}} ${title} %s",
    ]

    /// Addresses that must not become links: a page would run some, and the others lead nowhere.
    public static let unlinkedAddresses = [
        "javascript:document.title='run'", "JaVaScRiPt:document.title='run'",
        " javascript:document.title='run'", "java\nscript:document.title='run'",
        "\u{1}javascript:document.title='run'",
        "data:text/html,<script>document.title='run'</script>",
        "vbscript:run", "blob:https://example.org/1", "file:///etc/passwd", "//example.org/", "",
        "h",
        "about:blank", "view-source:https://example.org/", "https:",
        "x\u{202E}https://example.org/",
    ]

    /// Addresses that are links, whatever else they hold.
    public static let linkedAddresses = [
        "https://example.org/?a=1&b=2#c", "HTTP://example.org/", "ftp://example.org/a",
        "https://example.org/\"onmouseover=\"document.title='run'",
        "https://example.org/'</script><script>document.title='run'</script>",
    ]

    /// The texts of the tabs in turn are those above, and their addresses too; so are those of their
    /// histories and groups.
    public static func make() -> SessionSnapshot {
        let addresses = unlinkedAddresses + linkedAddresses
        let count = max(texts.count, addresses.count)
        let places = OrderKey.evenlySpaced(count: count)
        let groups = texts.prefix(5).enumerated().map { index, title in
            var group = StructureNode.group(
                id: NodeID(high: 2, low: UInt64(index)), name: title)
            group.place = places[index]
            return group
        }
        let tabs = (0..<count).map { index in
            let metadata = TabMetadata(
                id: TabID(high: 1, low: UInt64(index)), place: places[index],
                url: addresses[index % addresses.count], title: texts[index % texts.count],
                navigationItemCount: 3, group: index < groups.count ? groups[index].id : nil)
            let history = history(around: index, addresses)
            return TabSnapshot(metadata: metadata, states: [.navigation: history.encoded()])
        }
        let attributes = SessionAttributes(
            title: texts[0], activeTab: tabs.last?.metadata.id)
        return SessionSnapshot(
            id: SessionID(window: WindowID(high: 0, low: 1)), attributes: attributes, tabs: tabs,
            nodes: groups)
    }

    private static func history(around index: Int, _ addresses: [String]) -> NavigationHistory {
        let entries = (0..<3).map { step in
            NavigationEntry(
                url: addresses[(index + step) % addresses.count],
                title: texts[(index + step) % texts.count])
        }
        return NavigationHistory(entries: entries, currentIndex: 1)
    }
}
