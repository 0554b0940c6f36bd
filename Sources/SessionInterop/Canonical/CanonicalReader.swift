import BrowserSessions
import Foundation

extension SessionFormat {
    /// The copy of a store that ``CanonicalJSON`` writes.
    public static let canonical = SessionFormat(
        "canonical-json", CanonicalReader.self, [.hasLastingIDs])
}

/// A reader of ``CanonicalJSON`` text. It returns the sessions as they were, with identifiers.
struct CanonicalReader: FileReader {
    static let beginnings = [Array("{".utf8)]

    private let identity: SourceIdentity
    private var reading: SourceReading
    private var unknown = 0

    static func recognizes(_ head: SourceHead) -> Bool { head.root.map(isCopy) ?? false }

    private static func isCopy(_ root: JSONValue) -> Bool {
        root["format"]?.string == "browser-sessions"
    }

    static func read(_ file: [UInt8], name: String, limits: ImportLimits) throws(StorageError)
        -> SourceReading
    {
        let (value, failures) = JSONParser.parse(file, maximum: limits.maximumParts)
        guard let root = value, isCopy(root) else {
            throw SourceFile.failure(.incompatibleFormat, "the file is no copy of a store")
        }
        let version = root["version"]?.integer
        if let version, version != 1 {
            throw SourceFile.failure(
                .incompatibleFormat, "the copy has version \(version); this version reads 1")
        }
        var reader = Self(
            identity: SourceIdentity(.canonical, content: file),
            reading: SourceReading(limits: limits))
        for failure in failures { reader.reading.log.loss(failure) }
        reader.reading.isWhole = failures.isEmpty
        for (index, session) in (root["sessions"]?.array ?? []).enumerated() {
            reader.add(session, "sessions[\(index)]")
        }
        if reader.unknown > 0 {
            reader.reading.log.loss(
                at: "the whole file",
                "fields of a newer version cannot be read, and are left out of \(counted(reader.unknown, "record"))"
            )
        }
        return reader.reading
    }

    private mutating func add(_ value: JSONValue, _ location: String) {
        let known = value["id"]?.string.flatMap { SessionID($0) }
        if known?.kind.role == .notes { return }
        var draft = SessionDraft(id: known ?? SessionID(window: id(.null, "window", location)))
        draft.location = location
        unknown += JSONFieldReader.fill(&draft.attributes, from: value["attributes"] ?? .null)
        draft.hasPlaces = true
        let (nodes, tabs) = (value["nodes"]?.array ?? [], value["tabs"]?.array ?? [])
        var places = PlacesInOrder(
            positions: nodes.map { $0["position"]?.integer.flatMap { Int(exactly: $0) } },
            tabCount: tabs.count)
        for (index, tab) in tabs.enumerated() {
            add(tab, at: places.next(), to: &draft, "\(location).tabs[\(index)]")
        }
        var unplaced: [StructureNode] = []
        for (index, value) in nodes.enumerated() {
            var node = node(value, "\(location).nodes[\(index)]")
            node.place = places.nodes[index] ?? places.next()
            if places.nodes[index] == nil {
                unplaced.append(node)
            } else {
                draft.nodes.append(node)
            }
        }
        unplaced.takePlaces(of: draft.tabs.lazy.map(\.metadata))
        draft.nodes += unplaced
        reading.drafts.append(draft)
    }

    /// Returns the identifier of a value; one of its place, which is reported, if it cannot be read.
    private mutating func id<Subject>(_ value: JSONValue, _ kind: String, _ location: String)
        -> Identifier<Subject>
    {
        if let id = value["id"]?.string.flatMap({ Identifier<Subject>($0) }) { return id }
        reading.log.loss(at: location + ".id", "the id cannot be read")
        return identity.identifier(kind, location)
    }

    private mutating func node(_ value: JSONValue, _ location: String) -> StructureNode {
        var node = StructureNode.group(id: id(value, "node", location))
        unknown += JSONFieldReader.fill(&node, from: value)
        return node
    }

    private mutating func add(
        _ value: JSONValue, at place: OrderKey, to draft: inout SessionDraft, _ location: String
    ) {
        guard reading.nextTab(at: location) != nil else { return }
        var tab = TabDraft(id: id(value, "tab", location), location: location)
        unknown += JSONFieldReader.fill(&tab.metadata, from: value)
        tab.metadata.place = place
        for (name, text) in value["states"]?.object ?? [:] {
            guard let name = StateName(rawValue: name), let text = text.string,
                let data = Data(base64Encoded: text)
            else {
                reading.log.loss(at: "\(location).states", "a state cannot be read")
                continue
            }
            tab.states[name] = [UInt8](data)
        }
        draft.tabs.append(tab)
    }
}
