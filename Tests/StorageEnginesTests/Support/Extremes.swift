import SessionSamples

@testable import BrowserSessions

/// Values from the edges of what the model allows.
struct Extremes {
    var generator: SeededGenerator
    private var depth = 0

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
        filled(TabMetadata(id: identifier(), place: .between(nil, and: nil)))
    }

    mutating func node() -> StructureNode {
        var node = StructureNode.blank
        node.id = identifier()
        return filled(node)
    }

    mutating func attributes() -> SessionAttributes { filled(SessionAttributes()) }

    mutating func history() -> NavigationHistory {
        var history = filled(NavigationHistory())
        let count = history.entries.count
        history.currentIndex = count == 0 ? nil : generator.integer(in: 0...count - 1)
        return history
    }

    private mutating func filled<Record: FieldRecord>(_ record: Record) -> Record {
        var record = record
        record.visitFields(&self)
        return record
    }
}

extension Extremes: FieldEditor {
    mutating func text(_ field: Field, _ value: inout String) { value = text() }
    mutating func bytes(_ field: Field, _ value: inout [UInt8]) { value = [UInt8](text().utf8) }
    mutating func number(_ field: Field, _ value: inout Int32) { value = number() }
    mutating func flag(_ field: Field, _ value: inout Bool) { value = generator.chance(1, in: 2) }
    mutating func time(_ field: Field, _ value: inout Timestamp) { value = time() }

    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>) {
        value = identifier()
    }

    mutating func identifier<Subject>(_ field: Field, _ value: inout Identifier<Subject>?) {
        value = generator.chance(1, in: 2) ? identifier() : nil
    }

    mutating func texts(_ field: Field, _ value: inout [String: String]) { value = properties() }

    mutating func record<Record: FieldRecord>(_ field: Field, _ value: inout Record?) {
        value = generator.chance(1, in: 2) ? filled(.blank) : nil
    }

    mutating func index(_ field: Field, _ value: inout Int?) {
        value = generator.chance(1, in: 2) ? generator.integer(in: 0...1000) : nil
    }

    /// Up to three records, and records in records up to a depth of four.
    mutating func records<Record: FieldRecord>(_ field: Field, _ value: inout [Record]) {
        guard depth < 4 else { return }
        depth += 1
        value = (0..<generator.integer(in: 0...3)).map { _ in filled(.blank) }
        depth -= 1
    }
}
