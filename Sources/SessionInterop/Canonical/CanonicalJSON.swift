public import BrowserSessions
import Foundation

/// A writer of canonical JSON. It writes sessions in pieces, with at most one tab in memory.
///
/// The text is one object. The keys of every object ascend, there is no white space, and nothing is
/// left out. Equal sessions from any store therefore have equal bytes.
///
/// ```
/// {"format":"browser-sessions","sessions":[SESSION,…],"version":1}
/// SESSION  {"attributes":{"activeTab","createdAt","lastActiveAt","properties","title",
///           "unknownFields"},"id","nodes":[NODE,…],"tabs":[TAB,…]}
/// TAB      {"closedFrom":PLACE,"container","createdAt","edge","faviconURL","id","isFolded",
///           "isHidden","lastActiveAt","name","navigation","navigationItemCount",
///           "opener":{"navigationIndex","tab","unknownFields"},"parent","pinnedPage":PAGE,
///           "properties","states":{name:base64,…},"title","unknownFields","url","weight","zone"}
/// NODE     {"active","axis","closedFrom":PLACE,"color","colorText","container","edge","icon","id",
///           "isCollapsed","isFolded","kind","link","name","parent","position","properties",
///           "style","unknownFields","weight","zone"}
/// PAGE     {"faviconURL","title","unknownFields","url"}
/// PLACE    {"batch","edge","index","parent","previous","reason","session","time","unknownFields",
///           "weight","zone"}
/// ```
///
/// Identifiers are uppercase UUIDs, times are microseconds since 1970 (0 is unknown), bytes are
/// base64, and an absent value is `null`. `navigation` repeats the state of that name in readable
/// form. It is `null` if the tab has none or it cannot be read. Tabs and nodes are in their order, and
/// a node's `position` is the one among all of both, depth first, from 0. Order keys are not written,
/// because they depend on how the tabs were inserted.
public struct CanonicalJSON {
    /// A closure that receives the next bytes of the text.
    public typealias Sink = ([UInt8]) throws(StorageError) -> Void

    private let sink: Sink
    private let includesStates: Bool
    private var sessionCount = 0
    private var tabCount = 0

    /// Begins a text. If states are not included, `states` is empty and `navigation` is `null`.
    ///
    /// - Throws: What the sink throws.
    public init(includingStates: Bool = true, sink: @escaping Sink) throws(StorageError) {
        self.sink = sink
        includesStates = includingStates
        try sink(Array(#"{"format":"browser-sessions","sessions":["#.utf8))
    }

    /// Begins a session with its attributes and nodes. Its tabs follow. The text is canonical only if
    /// sessions come in ascending order.
    ///
    /// - Throws: What the sink throws.
    public mutating func begin(_ session: RestoredSession) throws(StorageError) {
        let head = JSONValue.object([
            "attributes": JSONValue(session.attributes), "id": .string(session.id.description),
            "nodes": .array(session.positionedNodes.map { $0.canonical(at: $1) }),
        ])
        try put(head.encoded().dropLast() + #","tabs":["#.utf8, after: sessionCount)
        sessionCount += 1
        tabCount = 0
    }

    /// Adds the next tab of the session.
    ///
    /// - Throws: What the sink throws.
    public mutating func add(_ tab: TabSnapshot) throws(StorageError) {
        try put(tab.canonical(includingStates: includesStates).encoded()[...], after: tabCount)
        tabCount += 1
    }

    /// Passes on text, after a comma if it is not the first of a list.
    private func put(_ text: ArraySlice<UInt8>, after count: Int) throws(StorageError) {
        try sink((count > 0 ? [UInt8(ascii: ",")] : []) + text)
    }

    /// Ends the session.
    ///
    /// - Throws: What the sink throws.
    public mutating func endSession() throws(StorageError) { try sink(Array("]}".utf8)) }

    /// Ends the text.
    ///
    /// - Throws: What the sink throws.
    public mutating func finish() throws(StorageError) {
        try sink(Array("],\"version\":1}\n".utf8))
    }

    /// Writes the sessions in ascending order, whatever their order in the array. Without sessions,
    /// the text has an empty list.
    ///
    /// - Throws: What the sink throws.
    public static func write(
        _ sessions: [SessionSnapshot], includingStates: Bool = true, to sink: @escaping Sink
    ) throws(StorageError) {
        var writer = try CanonicalJSON(includingStates: includingStates, sink: sink)
        for session in sessions.sorted(by: { $0.id < $1.id }) {
            try writer.begin(RestoredSession(session))
            for tab in session.tabs { try writer.add(tab) }
            try writer.endSession()
        }
        try writer.finish()
    }
}

extension StructureNode {
    fileprivate func canonical(at position: Int?) -> JSONValue {
        var members = FieldValues<JSONValue>(self).values
        members["id"] = .string(id.description)
        members["position"] = .optional(position.map { .integer(Int64($0)) })
        return .object(members)
    }
}

extension TabSnapshot {
    fileprivate func canonical(includingStates: Bool) -> JSONValue {
        let states = includingStates ? states : [:]
        let history = states[.navigation].flatMap { try? NavigationHistory(encoded: $0) }
        var members = FieldValues<JSONValue>(metadata).values
        members["id"] = .string(metadata.id.description)
        members["navigation"] = .optional(history.map { JSONValue($0) })
        members["states"] = .object(
            Dictionary(
                uniqueKeysWithValues: states.map { ($0.key.rawValue, .base64($0.value)) }))
        return .object(members)
    }
}

extension JSONValue {
    static func optional(_ value: JSONValue?) -> JSONValue { value ?? .null }

    static func base64(_ bytes: [UInt8]) -> JSONValue {
        .string(Data(bytes).base64EncodedString())
    }
}
