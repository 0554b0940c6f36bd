import SessionSamples

@testable import BrowserSessions

/// Values from the edges of what the model allows.
struct Extremes {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    static let texts = [
        "", "\0", "a\0b", "🧑‍🧑‍🧒‍🧒 🇪🇺", "שלום עולם", "\u{202E}كتاب\u{202C}", "\u{FEFF}\u{FFFD}",
        "e\u{301}é",
        "https://example.org/?q=%F0%9F%A6%8A#\"<&>",
    ]
    static let numbers: [Int32] = [0, 1, -1, 127, 128, .max, .min]
    static let times: [Int64] = [0, 1, -1, .max, .min, 1_767_225_600_000_000]

    /// Now and then 64 KiB of it.
    private mutating func text() -> String {
        generator.chance(1, in: 100)
            ? String(repeating: "長", count: 21_846) : generator.pick(Self.texts)
    }
    private mutating func number() -> Int32 { generator.pick(Self.numbers) }
    private mutating func time() -> Timestamp {
        Timestamp(microseconds: generator.pick(Self.times))
    }

    private mutating func properties() -> [String: String] {
        var properties: [String: String] = [:]
        for _ in 0..<generator.integer(in: 0...4) { properties[text()] = text() }
        return properties
    }

    private mutating func identifier<Subject>() -> Identifier<Subject> {
        switch generator.integer(in: 0...2) {
        case 0: Identifier(high: 0, low: 0)
        case 1: Identifier(high: .max, low: .max)
        default: .random(using: &generator)
        }
    }

    mutating func tab() -> TabMetadata {
        TabMetadata(
            id: identifier(), place: .between(nil, and: nil), url: text(), title: text(),
            faviconURL: text(), createdAt: time(), lastActiveAt: time(),
            navigationItemCount: number(), isPinned: generator.chance(1, in: 2),
            group: generator.chance(1, in: 2) ? identifier() : nil,
            opener: generator.chance(1, in: 2)
                ? TabOpener(tab: identifier(), navigationIndex: number()) : nil,
            properties: properties())
    }

    mutating func attributes() -> SessionAttributes {
        let groups = (0..<generator.integer(in: 0...3)).map { _ in
            TabGroup(
                id: identifier(), title: text(), color: TabGroupColor(rawValue: number()),
                isCollapsed: generator.chance(1, in: 2))
        }
        return SessionAttributes(
            title: text(), activeTab: generator.chance(1, in: 2) ? identifier() : nil,
            groups: groups, createdAt: time(), lastActiveAt: time(), properties: properties())
    }

    mutating func history() -> NavigationHistory {
        let entries = (0..<generator.integer(in: 0...4)).map { _ in entry(depth: 0) }
        let current = entries.isEmpty ? nil : generator.integer(in: 0...entries.count - 1)
        return NavigationHistory(entries: entries, currentIndex: current)
    }

    private mutating func entry(depth: Int) -> NavigationEntry {
        let frames = depth < 3 ? generator.integer(in: 0...2) : 0
        return NavigationEntry(
            url: text(), displayURL: text(), title: text(), time: time(), referrer: text(),
            referrerPolicy: number(), userAgent: UserAgent(rawValue: number()),
            requestHeaders: (0..<generator.integer(in: 0...2)).map { _ in
                HTTPHeader(name: text(), value: text())
            },
            pageState: [UInt8](text().utf8),
            subframes: (0..<frames).map { _ in entry(depth: depth + 1) },
            properties: properties())
    }
}
