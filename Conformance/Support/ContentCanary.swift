import BrowserSessions
import Foundation
import SessionSamples

/// A session with unique values in every field, for searching in files.
struct ContentCanary: Sendable {
    let session: SessionID
    /// Every word that is anywhere in the session.
    private let words: [String]
    private let tabIDs: [TabID]
    /// A tab with a word in every text; all tabs have them.
    private let sample: TabMetadata
    private let attributes: SessionAttributes
    /// The group of the tabs, and nodes of other kinds, each with a word in every text.
    private let nodes: [StructureNode]
    private let group: NodeID
    private let stateName: StateName
    private let blob: String
    private let filler: SeededGenerator

    /// The kinds of the nodes; the last stands for a word.
    private static let kinds: [StructureNode.Kind] = [
        .group, .split, .space, .view, .container, .init(rawValue: ""),
    ]

    /// - Parameter isIncognito: whether the session, with a kind of its own, is incognito.
    init(seed: UInt64, isIncognito: Bool) throws {
        var generator = SeededGenerator(seed: seed &* 2 &+ (isIncognito ? 1 : 0))
        var words: [String] = []
        func word() -> String {
            words.append("cnry" + String(generator.next() | 1 << 63, radix: 36))
            return words[words.count - 1]
        }
        let (ofKind, ofName) = (word(), word())
        let kind = SessionKind(rawValue: (isIncognito ? "incognito-" : "regular-") + ofKind)
        guard let kind, let name = StateName(rawValue: ofName) else {
            throw HarnessFault("a canary is no legal name")
        }
        stateName = name
        blob = word()
        var sample = TabMetadata(id: .random(using: &generator), place: .between(nil, and: nil))
        var attributes = SessionAttributes()
        let group = NodeID.random(using: &generator)
        var texts = FieldTexts { name in name == "value" ? word() + " ü/" + word() : word() }
        sample.visitFields(&texts)
        attributes.visitFields(&texts)
        nodes = Self.kinds.map { kind in
            let id: NodeID = kind == .group ? group : .random(using: &generator)
            var node = StructureNode(id: id, kind, place: .between(nil, and: nil))
            node.closedFrom = FormerPlace()
            node.visitFields(&texts)
            if kind != .init(rawValue: "") { node.kind = kind }
            return node
        }
        session = SessionID(window: .random(using: &generator), kind: kind)
        tabIDs = (0..<5).map { _ in .random(using: &generator) }
        self.group = group
        attributes.activeTab = tabIDs[1]
        (self.sample, self.attributes, self.words) = (sample, attributes, words)
        filler = generator
    }

    private func tab(_ number: Int, revision: Int) -> TabMetadata {
        var tab = sample
        tab.id = tabIDs[number]
        tab.place = OrderKey.evenlySpaced(count: tabIDs.count)[number]
        tab.url += "/\(revision)"
        tab.group = group
        tab.opener = number == 0 ? nil : TabOpener(tab: tabIDs[0])
        return tab
    }

    /// Returns a set that puts a version of the session.
    func changes(revision: Int) -> SessionChanges {
        var changes = SessionChanges()
        var generator = filler
        changes.put(attributes, for: session)
        for var node in nodes {
            node.name += "/\(revision)"
            changes.put(node, in: session)
        }
        for number in tabIDs.indices {
            changes.put(tab(number, revision: revision), in: session)
            let blob =
                SampleState.blob(bytes: 1200 + revision, using: &generator) + [UInt8](blob.utf8)
            changes.put(
                blob, for: TabStateKey(tab: tabIDs[number], name: stateName, in: session))
        }
        changes.commitID = CommitID(high: tabIDs[0].low, low: UInt64(revision))
        return changes
    }

    /// Saves several versions and removes parts, so that there is old content to erase, too.
    func use(_ store: any SessionStorage) async throws {
        for revision in 1...3 { _ = try await store.save(changes(revision: revision)) }
        var removal = SessionChanges()
        removal.remove(tabIDs[2], from: session)
        for node in nodes.dropFirst().prefix(2) { removal.remove(node.id, from: session) }
        removal.remove(TabStateKey(tab: tabIDs[3], name: stateName, in: session))
        _ = try await store.save(removal)
    }

    /// Returns the files that hold any of the values in a usual form, also in their names.
    func found(below location: String) throws -> [String] {
        try LocationFiles(location).paths(holding: needles)
    }

    /// Whether the bytes hold any of the values in any of the usual forms.
    func isFound(in bytes: [UInt8]) -> Bool { needles.contains { bytes.holds($0) } }

    private var needles: [[UInt8]] {
        var needles = words.flatMap(Self.forms)
        let numbers =
            [session.window.high, session.window.low] + nodes.flatMap { [$0.id.high, $0.id.low] }
        for number in numbers + tabIDs.flatMap({ [$0.high, $0.low] }) {
            withUnsafeBytes(of: number.bigEndian) { needles.append([UInt8]($0)) }
            withUnsafeBytes(of: number.littleEndian) { needles.append([UInt8]($0)) }
        }
        let texts =
            [session.window.description] + nodes.map(\.id.description) + tabIDs.map(\.description)
        for text in texts {
            for form in [text, text.filter { $0 != "-" }] {
                needles.append([UInt8](form.utf8))
                needles.append([UInt8](form.lowercased().utf8))
            }
        }
        return needles
    }

    /// Returns a text as UTF-8, UTF-16, percent-encoded, and in base64.
    private static func forms(_ text: String) -> [[UInt8]] {
        let plain = [UInt8](text.utf8)
        let escaped = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
        let little = text.utf16.flatMap { withUnsafeBytes(of: $0.littleEndian, [UInt8].init) }
        let big = text.utf16.flatMap { withUnsafeBytes(of: $0.bigEndian, [UInt8].init) }
        let encoded = (0...2).map { base64(plain, behind: $0) }
        return [plain, little, big, [UInt8](escaped.utf8)] + encoded
    }

    /// Returns the part of a base64 form that depends only on these bytes, not on those before.
    private static func base64(_ bytes: [UInt8], behind before: Int) -> [UInt8] {
        let text = Data([UInt8](repeating: 0, count: before) + bytes).base64EncodedString()
        let end = (before + bytes.count) * 8 / 6
        return [UInt8]([UInt8](text.utf8)[(before * 8 + 5) / 6..<end])
    }
}
