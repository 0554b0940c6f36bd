import BrowserSessions
import SessionSamples

/// Sessions of legal values that stores easily spoil.
enum ExtremeValues {
    /// Text that is empty, long, or of characters that a layer may stop at, fold, or replace.
    static let samples: [String] = [
        "", "a", " ", "  both ends  ", "UPPER and lower", "\0", "a\0b", "line\nline\r\nline\ttab",
        // The same letter in one scalar and in two: equal in Swift, but different text.
        "\u{E9}", "e\u{301}", "\u{1E9B}\u{323}", "\u{212B}", "ﬁ",
        "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪", "\u{202E}right to left", "\u{FEFF}mark", "\u{FFFD}", "\u{FFFE}\u{FFFF}",
        // The neighbors of the surrogates, and characters that need two of them.
        "\u{D7FF}\u{E000}", "\u{10000}\u{10FFFF}", "\\uD800", "%00%FF", "'; DROP TABLE tabs; --",
        "\u{7F}\u{80}\u{9F}", "İıſß", String(repeating: "x", count: 255),
        String(repeating: "x", count: 256), String(repeating: "é", count: 2047),
        String(repeating: "y", count: 65_535), String(repeating: "z", count: 65_536),
    ]

    /// Every sample in every field that holds text, and as key and value of properties.
    static let texts: ExpectedSession = {
        let places = OrderKey.evenlySpaced(count: samples.count)
        let tabs = samples.enumerated().map { number, text in
            var tab = TabMetadata(id: Plain.tab(number).id, place: places[number])
            var texts = FieldTexts { _ in text }
            tab.visitFields(&texts)
            tab.group = NodeID(high: 1, low: UInt64(number))
            tab.properties = [text: "value", "key \(number)": text]
            return tab
        }
        let groups = samples.enumerated().map { number, text in
            var group = StructureNode.group(
                id: NodeID(high: 1, low: UInt64(number)), name: text)
            var texts = FieldTexts { _ in text }
            group.visitFields(&texts)
            (group.kind, group.place) = (.group, places[number])
            group.properties = [text: "value", "key \(number)": text]
            return group
        }
        return ExpectedSession(
            id: Plain.session(1),
            attributes: SessionAttributes(
                title: samples.last ?? "",
                properties: Dictionary(
                    samples.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })),
            tabs: tabs, nodes: groups)
    }()

    /// The ends of all ranges of numbers, and times before and after any calendar.
    static let numbers: ExpectedSession = {
        let times: [Int64] = [.min, .min + 1, -1, 0, 1, 253_402_300_799_999_999, .max - 1, .max]
        let counts: [Int32] = [0, 1, 127, 128, 65_535, 65_536, .max - 1, .max]
        let places = OrderKey.evenlySpaced(count: times.count)
        let tabs = times.indices.map { number in
            var tab = TabMetadata(id: Plain.tab(number).id, place: places[number])
            var values = FieldNumbers(
                counts[number], [times[number], times[times.count - 1 - number]])
            tab.visitFields(&values)
            (tab.zone, tab.weight) = (.normal, max(tab.weight, 0))
            tab.group = NodeID(high: UInt64(number), low: .max)
            if number > 0 {
                tab.opener = TabOpener(
                    tab: Plain.tab(0).id, navigationIndex: [Int32.min, -1, 0, .max][number % 4])
            }
            return tab
        }
        let colors: [Int32] = [.min, -1, 0, 8, 9, 1000, .max - 1, .max]
        let groups = colors.enumerated().map { number, color in
            var group = StructureNode.group(
                id: NodeID(high: UInt64(number), low: .max),
                color: TabGroupColor(rawValue: color))
            group.place = places[number]
            return group
        }
        let kind = SessionKind(rawValue: "a-kind-of-the-host-with-32-bytes") ?? .setAside
        return ExpectedSession(
            id: SessionID(window: WindowID(high: .max, low: .max), kind: kind),
            attributes: SessionAttributes(
                createdAt: Timestamp(microseconds: .min),
                lastActiveAt: Timestamp(microseconds: .max)),
            tabs: tabs, nodes: groups)
    }()

    /// Returns tabs with fields that the schema does not have: number 100, text; number 2000, 8
    /// bytes; and number 50 in their openers.
    static func unknownFields() throws -> ExpectedSession {
        let fields: [UInt8] =
            [0xA2, 0x06, 5] + Array("newer".utf8) + [0x81, 0x7D, 1, 2, 3, 4, 5, 6, 7, 8]
        let tabs = try (0..<3).map { number in
            let tab = Plain.tab(number)
            let opener: [UInt8] =
                [0x4A, 21, 0x0A, 16] + Plain.tab(0).id.bytes + [0x90, 0x03, 7]
            let bytes = tab.encoded() + (number == 0 ? [] : opener) + fields
            return try bytes.withUnsafeBytes {
                try TabMetadata(id: tab.id, payload: $0)
            }
        }
        let hasOpeners = tabs.dropFirst().allSatisfy {
            $0.opener?.unknownFields == [0x90, 0x03, 7]
        }
        guard hasOpeners, tabs.allSatisfy({ $0.unknownFields == fields }) else {
            throw HarnessFault("the unknown fields of the example are not read as such")
        }
        return ExpectedSession(id: Plain.session(1), tabs: tabs)
    }
}

/// An editor that gives every number the same value, and the times two values in turn.
private struct FieldNumbers: FieldEditor {
    private let number: Int32
    private let times: [Int64]
    private var count = 0

    init(_ number: Int32, _ times: [Int64]) {
        self.number = number
        self.times = times
    }

    mutating func number(_ field: Field, _ value: inout Int32) { value = number }

    mutating func time(_ field: Field, _ value: inout Timestamp) {
        value.microseconds = times[count % times.count]
        count += 1
    }
}
