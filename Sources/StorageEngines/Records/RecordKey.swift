import BrowserSessions

/// The keys of a partition's metadata records, which opening reads.
///
/// ```text
/// metadata := "m"                                   manifest
///           | "s" session                           attributes of a session
///           | "t" session tab:16                    a tab
///           | "n" session node:16                   a node that is no tab
///           | "x" tab:16 name                       says that a state blob exists
///           | "c" commit:16                         a commit id that was applied
///           | "l"                                   losses that are not acknowledged yet
///           | "g" point                             a restore point
/// session  := window:16 (code:u8 | 0x7F kind 0x00)
/// point    := u64, big-endian: the number of the last change set that is in it
/// ```
/// The tabs of a session are adjacent, so a restore is one scan. Their order is in their values: a
/// tab that moves within its session keeps its key.
enum RecordKey: Hashable {
    case manifest
    case losses
    case record(SessionItem, in: SessionID)
    case stateEntry(TabID, StateName)
    case commit(CommitID)
    case point(StoredNumber)

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(48)
        append(to: &bytes)
        return bytes
    }

    /// The key of the manifest, which every save writes.
    static let manifestBytes = RecordKey.manifest.bytes

    func append(to bytes: inout [UInt8]) {
        switch self {
        case .manifest: bytes.append(Tag.manifest)
        case .losses: bytes.append(Tag.losses)
        case .record(.session, let session):
            bytes.append(Tag.session)
            session.append(to: &bytes)
        case .record(.tab(let tab), let session):
            bytes.append(Tag.tab)
            session.append(to: &bytes)
            tab.append(to: &bytes)
        case .record(.node(let node), let session):
            bytes.append(Tag.node)
            session.append(to: &bytes)
            node.append(to: &bytes)
        case .stateEntry(let tab, let name):
            bytes.append(Tag.stateEntry)
            tab.append(to: &bytes)
            bytes.append(contentsOf: name.rawValue.utf8)
        case .commit(let commit):
            bytes.append(Tag.commit)
            commit.append(to: &bytes)
        case .point(let number):
            bytes.append(Tag.point)
            number.append(to: &bytes)
        }
    }

    /// The session of attributes, of a tab or of another node; `nil` for other records.
    var sessionID: SessionID? {
        if case .record(_, let id) = self { id } else { nil }
    }

    /// Returns the key of a session's attributes.
    static func session(_ id: SessionID) -> RecordKey { .record(.session(id), in: id) }

    /// Returns the prefix of the keys of a session's tabs.
    static func tabs(of session: SessionID) -> [UInt8] {
        var bytes = [Tag.tab]
        session.append(to: &bytes)
        return bytes
    }

    /// Returns the prefix of the keys of a session's other nodes.
    static func nodes(of session: SessionID) -> [UInt8] {
        var bytes = [Tag.node]
        session.append(to: &bytes)
        return bytes
    }

    enum Tag {
        static let manifest = UInt8(ascii: "m")
        static let losses = UInt8(ascii: "l")
        static let session = UInt8(ascii: "s")
        static let tab = UInt8(ascii: "t")
        static let node = UInt8(ascii: "n")
        static let stateEntry = UInt8(ascii: "x")
        static let commit = UInt8(ascii: "c")
        static let point = UInt8(ascii: "g")
    }
}

// MARK: - Reading keys

extension RecordKey {
    /// Longer than any of our keys: this package never wrote a longer one.
    static let maximumLength = 256

    /// Returns whether the bytes are one of our keys.
    static func isLegal(_ bytes: UnsafeRawBufferPointer, in space: KeySpace) -> Bool {
        switch space {
        case .metadata: RecordKey(bytes) != nil
        case .state: StateKey(bytes) != nil
        }
    }

    /// Returns `nil` if the bytes are not a key of the metadata space.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= Self.maximumLength, let tag = bytes.first else { return nil }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[1...])
        switch tag {
        case Tag.manifest where rest.isEmpty: self = .manifest
        case Tag.losses where rest.isEmpty: self = .losses
        case Tag.session:
            guard let (id, length) = SessionID.read(rest), length == rest.count else { return nil }
            self = .session(id)
        case Tag.tab, Tag.node:
            guard let (id, length) = SessionID.read(rest),
                let node = NodeID(UnsafeRawBufferPointer(rebasing: rest[length...]))
            else { return nil }
            self = .record(tag == Tag.tab ? .tab(TabID(node)) : .node(node), in: id)
        case Tag.stateEntry:
            guard let (tab, name) = Self.tabAndName(rest) else { return nil }
            self = .stateEntry(tab, name)
        case Tag.commit:
            guard let id = CommitID(rest) else { return nil }
            self = .commit(id)
        case Tag.point:
            guard let number = StoredNumber(key: rest) else { return nil }
            self = .point(number)
        default: return nil
        }
    }

    /// Reads a tab and the name of one of its states, which take all the bytes.
    static func tabAndName(_ bytes: UnsafeRawBufferPointer) -> (TabID, StateName)? {
        guard bytes.count > 16,
            let tab = TabID(UnsafeRawBufferPointer(rebasing: bytes[..<16])),
            let name = StateName(rawValue: String(decoding: bytes[16...], as: UTF8.self))
        else { return nil }
        return (tab, name)
    }
}

extension StoredNumber {
    /// The number of bytes in a key.
    static let keyLength = 8

    /// Appends the number so that keys sort as numbers do.
    func append(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Returns `nil` unless there are 8 bytes with a number that a store may have.
    init?(key bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.keyLength else { return nil }
        self.init(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }
}

extension Identifier {
    /// Returns `nil` unless there are 16 bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

extension SessionID {
    private static let kinds: [(UInt8, SessionKind)] = [
        (regularKind, .regular), (2, .incognito), (3, .inactive), (4, .recentlyClosed),
        (5, .setAside),
    ]
    private static let regularKind: UInt8 = 1
    private static let otherKind: UInt8 = 0x7F

    func append(to bytes: inout [UInt8]) {
        window.append(to: &bytes)
        if kind == .regular {
            bytes.append(Self.regularKind)
        } else if let code = Self.kinds.first(where: { $0.1 == kind })?.0 {
            bytes.append(code)
        } else {
            bytes.append(Self.otherKind)
            bytes.append(contentsOf: kind.rawValue.utf8)
            bytes.append(0)
        }
    }

    /// Returns the session at the beginning of the bytes, and how many bytes it takes.
    static func read(_ bytes: UnsafeRawBufferPointer) -> (SessionID, Int)? {
        guard bytes.count >= 17, let window = WindowID(.init(rebasing: bytes[..<16])) else {
            return nil
        }
        if let kind = kinds.first(where: { $0.0 == bytes[16] })?.1 {
            return (SessionID(window: window, kind: kind), 17)
        }
        guard bytes[16] == otherKind, let end = bytes[17...].firstIndex(of: 0),
            let kind = SessionKind(rawValue: String(decoding: bytes[17..<end], as: UTF8.self))
        else { return nil }
        return (SessionID(window: window, kind: kind), end + 1)
    }
}
