/// Some tabs of a session, on their way into a page.
struct HTMLChunk {
    private var tabs = HTMLText()
    private var histories = HTMLText()
    /// The same tabs as items of a plain list.
    var list = HTMLText()
    private(set) var count = 0

    /// How much it takes in memory.
    var byteCount: Int { tabs.bytes.count + histories.bytes.count + list.bytes.count }

    mutating func add(_ tab: JSONValue, _ history: HTMLHistory) {
        if count > 0 {
            tabs.raw(",")
            histories.raw(",")
        }
        tabs.inert(tab)
        histories.inert(history.value)
        count += 1
    }

    /// Its blocks of the page; the first tab is the `first` of its session.
    func bytes(from first: Int) -> [UInt8] {
        var text = HTMLText()
        text.block("tabs", tabs)
        text.block("histories", histories)
        text.raw("<noscript><ol start=\"\(first)\">\n")
        text.append(list)
        text.raw("</ol></noscript>\n")
        return text.bytes
    }
}
