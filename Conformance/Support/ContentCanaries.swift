import BrowserSessions
import Foundation
import SessionSamples

/// A session with a unique word in every content field, and the search for these words.
struct ContentCanaries: Sendable {
    private(set) var words: [String] = []
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Returns a new word for a value of that kind.
    mutating func word(_ field: String) -> String {
        var text = "\(field)x"
        for _ in 0..<24 { text.append(generator.pick(Array("abcdefghkmnpqrstuvwz"))) }
        words.append(text)
        return text
    }

    mutating func session(tabs count: Int, kind: SessionKind = .regular) -> SessionSnapshot {
        let group = NodeID.random(using: &generator)
        let tabs = OrderKey.evenlySpaced(count: count).map { place in
            var tab = TabMetadata(id: .random(using: &generator), place: place)
            fill(&tab)
            tab.url = "https://\(tab.url).example/\(word("path"))"
            tab.group = group
            return TabSnapshot(
                metadata: tab,
                states: [
                    .native: Array(word("native").utf8),
                    .navigation: NavigationHistory(url: tab.url, title: tab.title).encoded(),
                ])
        }
        var attributes = SessionAttributes()
        fill(&attributes)
        let id = SessionID(window: .random(using: &generator), kind: kind)
        let kinds: [StructureNode.Kind] = [.group, .split, .space, .view, .container]
        let nodes = zip(kinds, OrderKey.evenlySpaced(count: kinds.count)).map { kind, place in
            var node = StructureNode(
                id: kind == .group ? group : .random(using: &generator), kind, place: place)
            node.closedFrom = FormerPlace()
            fill(&node)
            node.kind = kind
            return node
        }
        return SessionSnapshot(id: id, attributes: attributes, tabs: tabs, nodes: nodes)
    }

    /// Puts a new word into every text.
    private mutating func fill(_ record: inout some FieldRecord) {
        var canaries = self
        var texts = FieldTexts { canaries.word($0) }
        record.visitFields(&texts)
        self = canaries
    }

    /// Throws a ``Violation`` if the value, or what it holds, shows one of the words, as text or as
    /// a list of bytes.
    func requireAbsence(in value: Any, _ subject: String) throws {
        var text = "\(value)\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        let bytes = Self.flat(text)
        for word in words {
            // The kinds of the words are not content, so a message may name them.
            let kind = word.prefix { $0 != "x" }
            try require(strstr(text, word) == nil, "\(subject) shows what was saved as '\(kind)'")
            let list = word.utf8.map(String.init).joined(separator: ",")
            try require(strstr(bytes, list) == nil, "\(subject) shows bytes of what was '\(kind)'")
        }
    }

    /// Returns lists of numbers as `1,2,3`, whether printed on one line or on a line each.
    private static func flat(_ text: String) -> String {
        var result: [UInt8] = []
        var isNumber = false
        for byte in Array(text.utf8) {
            if byte >= 48 && byte <= 57 {
                result.append(byte)
                isNumber = true
            } else if isNumber {
                result.append(UInt8(ascii: ","))
                isNumber = false
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
