/// Consecutive tabs of a session that are added to a page together.
struct HTMLChunk {
    private var tabs = HTMLText()
    private var histories = HTMLText()
    /// The same tabs as items of a plain list.
    var list = HTMLText()
    private(set) var count = 0

    /// The size in memory in bytes.
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

    /// Returns the blocks of the chunk. `first` is the index of its first tab in the session.
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
