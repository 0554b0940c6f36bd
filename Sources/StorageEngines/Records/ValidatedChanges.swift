public import BrowserSessions

/// A change set that meets the rules that need no store. It is checked once, where it enters.
struct ValidatedChanges {
    let set: SessionChanges
    let outline: ChangeOutline
    /// The partition that all changes concern; `nil` if there are no changes.
    let partition: StoragePartition?

    /// Throws if the changes concern both partitions, two of them concern the same record or
    /// contradict each other, or something is too large.
    init(_ set: SessionChanges, maximumStateBytes: Int) throws(StorageError) {
        self.set = set
        var outline = ChangeOutline(count: set.changes.count)
        var partition: StoragePartition?
        for change in set.changes {
            let own = try ChangeRules.check(change, maximumStateBytes)
            if let partition, partition != own {
                throw ChangeRules.invalid(
                    "a change set concerns either the regular or the incognito partition; save two sets"
                )
            }
            partition = own
            try outline.note(change)
        }
        try outline.checkContradictions()
        (self.outline, self.partition) = (outline, partition)
    }
}

/// The rules for a change set.
enum ChangeRules {
    /// The maximum size of a session or tab record, 1 MiB.
    static let maximumRecordBytes = 1 << 20

    /// Checks the sizes of one change; returns its partition.
    fileprivate static func check(_ change: SessionChanges.Change, _ maximumStateBytes: Int)
        throws(StorageError) -> StoragePartition
    {
        switch change {
        case .put(.tab(let tab, let id)):
            try check(tab.place, of: change)
            return id.partition
        case .put(.node(let node, let id)):
            try check(node.place, of: change)
            return id.partition
        case .putState(let bytes, let key) where bytes.count > maximumStateBytes:
            throw StorageError(
                .tooLarge,
                """
                the '\(key.name.rawValue)' state of tab \(key.tab) has \(bytes.count) bytes, the limit \
                is \(maximumStateBytes); raise 'maximumStateBytes' or save less
                """, subject: .state(key))
        default: return change.partition
        }
    }

    private static func check(_ place: OrderKey, of change: SessionChanges.Change)
        throws(StorageError)
    {
        guard place.length > OrderKey.maximumLength else { return }
        throw StorageError(
            .tooLarge,
            """
            the place of \(change.subject) has \(place.length) bytes, the limit is \
            \(OrderKey.maximumLength); renumber the places of its siblings
            """, subject: change.subject)
    }

    /// Checks the size of a session or tab record, in bytes.
    static func checkRecord(_ length: Int, of subject: @autoclosure () -> StorageError.Subject?)
        throws(StorageError)
    {
        guard length > maximumRecordBytes, let subject = subject() else { return }
        throw StorageError(
            .tooLarge,
            """
            the metadata of \(subject) takes \(length) bytes, the limit is \(maximumRecordBytes)
            """, subject: subject)
    }

    static func invalid(_ message: String, _ subject: StorageError.Subject? = nil) -> StorageError {
        let about = subject.map { " (\($0))" } ?? ""
        return StorageError(
            .invalidChanges, "the change set was refused: \(message)\(about)", subject: subject)
    }
}

extension SessionChanges.Change {
    /// The record that it changes.
    var subject: StorageError.Subject {
        switch self {
        case .put(let record): .record(record.item, in: record.session)
        case .remove(let item, let id): .record(item, in: id)
        case .putState(_, let key), .removeState(let key): .state(key)
        }
    }
}

extension RecordKey {
    /// The session or tab that the record describes; `nil` for other records.
    var subject: StorageError.Subject? {
        if case .record(let item, let id) = self { .record(item, in: id) } else { nil }
    }
}

extension StorageError.Subject: CustomStringConvertible {
    /// The name, without anything that a page could have made up.
    public var description: String {
        switch self {
        case .record(.session(let id), _): "session \(id)"
        case .record(.tab(let id), _): "tab \(id)"
        case .record(.node(let id), _): "node \(id)"
        case .state(let key): "the '\(key.name.rawValue)' state of tab \(key.tab)"
        }
    }
}
