import BrowserSessions

/// The keys of a partition's state records, which are read one by one.
///
/// ```text
/// state := "b" tab:16 name set     a state blob, and the number of the change set that put it
///        | "p" record point there  a metadata record (attributes, tab, node, or entry of a state) as it
///                                  was at a restore point
/// set, point := u64, big-endian
/// there := u8: 1, or 0 if the record was gone at that point
/// ```
/// A blob is never overwritten: the entry of a state has the number of the set that put it, so it
/// names its blob. Of several versions of one record, a restore point has the newest one that is not
/// above it.
enum StateKey: Hashable {
    case blob(TabID, StateName, set: StoredNumber)
    case version(RecordKey, point: StoredNumber, isGone: Bool = false)

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        switch self {
        case .blob(let tab, let name, let set):
            bytes.append(Tag.blob)
            tab.append(to: &bytes)
            bytes.append(contentsOf: name.rawValue.utf8)
            set.append(to: &bytes)
        case .version(let record, let point, let isGone):
            bytes.append(Tag.version)
            record.append(to: &bytes)
            point.append(to: &bytes)
            bytes.append(isGone ? 0 : 1)
        }
        return bytes
    }

    /// The prefix of all versions of records.
    static let versions = [Tag.version]

    /// Returns the prefix of the versions of records with keys that begin with some bytes.
    static func versions(of record: [UInt8]) -> [UInt8] { [Tag.version] + record }

    enum Tag {
        static let blob = UInt8(ascii: "b")
        static let version = UInt8(ascii: "p")
    }
}

// MARK: - Reading keys

extension StateKey {
    /// Returns `nil` if the bytes are not a key of the state space.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= RecordKey.maximumLength, let tag = bytes.first else { return nil }
        switch tag {
        case Tag.blob:
            guard let (rest, set) = Self.split(bytes[1...]),
                let (tab, name) = RecordKey.tabAndName(rest)
            else { return nil }
            self = .blob(tab, name, set: set)
        case Tag.version:
            guard let there = bytes.last, there <= 1,
                let (rest, point) = Self.split(bytes[1..<bytes.count - 1]),
                let record = RecordKey(rest), record.hasVersions
            else { return nil }
            self = .version(record, point: point, isGone: there == 0)
        default: return nil
        }
    }

    /// Takes the number off the end.
    private static func split(_ bytes: Slice<UnsafeRawBufferPointer>)
        -> (rest: UnsafeRawBufferPointer, number: StoredNumber)?
    {
        let end = bytes.endIndex - StoredNumber.keyLength
        guard end > bytes.startIndex,
            let number = StoredNumber(key: UnsafeRawBufferPointer(rebasing: bytes[end...]))
        else { return nil }
        return (UnsafeRawBufferPointer(rebasing: bytes[..<end]), number)
    }

    /// Returns the key in a record's checksum: a version has the checksum of its record.
    static func frameKey(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let end = key.count - StoredNumber.keyLength - 1
        guard key.first == Tag.version, end > 1 else { return key }
        return UnsafeRawBufferPointer(rebasing: key[1..<end])
    }
}

extension RecordKey {
    /// Whether restore points have versions of the record.
    var hasVersions: Bool {
        switch self {
        case .record, .stateEntry: true
        case .manifest, .losses, .commit, .point: false
        }
    }
}
