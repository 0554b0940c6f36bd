public import BrowserSessions
import PlatformCrypto

/// A SHA-256 digest of the content of sessions. Equal contents have equal digests in any store.
///
/// The digest does not depend on the backend, on order keys, or on the order in which properties,
/// states and sessions are stored. It covers these bytes:
///
/// ```
/// digest  = "browser-sessions digest 3" session* "." number(sessions)
/// session = "S" text(id) fields node* tab* "e" number(tabs)           sessions ascending by id
/// node    = "N" number(position) id fields   nodes in their order; the position is the one among all
///                                           tabs and nodes, depth first, from 0; -1 if it has none
/// tab     = "T" id fields states                                     tabs in their order
/// fields  = (number(field) value)* (number(-1) bytes(fields of newer versions))? number(0)
///                                       by the numbers of records.proto, without defaults and
///                                       without order keys
/// states  = "-" if states are not covered, else number(states) (text(name) bytes(blob))*
///                                                                    names ascending
/// map     = number(entries) (text(key) text(value))*                 keys ascending by UTF-8
/// list    = number(records) fields*                                  the groups
/// text    = number(UTF-8 bytes) and the bytes; bytes likewise; an id is its 16 bytes
/// number  = 8 bytes, most significant first; a time likewise; flag = one byte, 0 or 1
/// ```
///
/// Add session by session, or use ``compute(of:includingStates:partitions:losses:progress:)``.
public struct ContentDigest {
    private var hash = SHA256()
    private let coversStates: Bool
    private var sessionCount = 0
    private var tabCount = 0
    private var last: SessionID?

    /// Begins a digest.
    public init(includingStates: Bool = true) {
        coversStates = includingStates
        hash.update([UInt8]("browser-sessions digest 3".utf8))
    }

    /// Begins a session with its attributes and nodes. Its tabs follow in order. The sessions must
    /// come in ascending order.
    public mutating func begin(_ session: RestoredSession) {
        assert(last.map { $0 < session.id } ?? true, "sessions must ascend")
        last = session.id
        var bytes = FieldBytes()
        bytes.add("S".utf8)
        bytes.add(session.id.description)
        bytes.add(session.attributes)
        for (node, position) in session.positionedNodes {
            bytes.add("N".utf8)
            bytes.add(position ?? -1)
            bytes.add(node.id.bytes)
            bytes.add(node)
        }
        hash.update(bytes.bytes)
        sessionCount += 1
        tabCount = 0
    }

    /// Adds the next tab of the session. States are used only if the digest covers them.
    public mutating func add(_ tab: TabMetadata, states: [StateName: [UInt8]]) {
        var bytes = FieldBytes()
        bytes.add("T".utf8)
        bytes.add(tab.id.bytes)
        bytes.add(tab)
        if coversStates {
            bytes.add(states.count)
            for (name, blob) in states.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                bytes.add(name.rawValue)
                bytes.add(blob.count)
                hash.update(bytes.bytes)
                hash.update(blob)
                bytes = FieldBytes()
            }
        } else {
            bytes.add("-".utf8)
        }
        hash.update(bytes.bytes)
        tabCount += 1
    }

    /// Ends the session.
    public mutating func endSession() {
        var bytes = FieldBytes()
        bytes.add("e".utf8)
        bytes.add(tabCount)
        hash.update(bytes.bytes)
    }

    /// Returns the digest in 64 lowercase hexadecimal digits. More can be added afterwards.
    public func value() -> String {
        var bytes = FieldBytes()
        bytes.add(".".utf8)
        bytes.add(sessionCount)
        var hash = hash
        hash.update(bytes.bytes)
        return hash.digest().map { hexadecimal($0) }.joined()
    }

    /// Returns the digest of sessions in memory, which may come in any order.
    public static func compute(of sessions: [SessionSnapshot], includingStates: Bool = true)
        -> String
    {
        var digest = ContentDigest(includingStates: includingStates)
        for session in sessions.sorted(by: { $0.id < $1.id }) {
            digest.begin(RestoredSession(session))
            for tab in session.tabs { digest.add(tab.metadata, states: tab.states) }
            digest.endSession()
        }
        return digest.value()
    }
}
