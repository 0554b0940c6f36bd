import BrowserSessions

/// The history of a view, as the bytes that the engine saves.
struct SimulatedState {
    var items: [SimulatedView.Item]
    var index: Int?

    private static let mark = "simulated 1"

    init(items: [SimulatedView.Item], index: Int?) {
        self.items = items
        self.index = index
    }

    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2, lines[0] == Self.mark, let index = Int(lines[1]) else {
            return nil
        }
        items = lines.dropFirst(2).compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count == 3, let scroll = Int(parts[0]) else { return nil }
            return SimulatedView.Item(
                url: String(parts[1]), title: String(parts[2]), scroll: scroll)
        }
        guard items.indices.contains(index) else { return nil }
        self.index = index
    }

    var bytes: [UInt8]? {
        guard let index else { return nil }
        let lines =
            [Self.mark, "\(index)"]
            + items.map { item in
                let title = item.title.map { $0.isNewline || $0 == "\t" ? " " : $0 }
                return "\(item.scroll)\t\(item.url)\t\(String(title))"
            }
        return Array(lines.joined(separator: "\n").utf8)
    }

    var history: NavigationHistory {
        NavigationHistory(
            entries: items.map { NavigationEntry(url: $0.url, title: $0.title) },
            currentIndex: index)
    }
}
