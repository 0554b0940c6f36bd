public import BrowserSessions

/// A call of a storage with its arguments.
///
/// A test can check what was called (`storage.calls.map(\.operation) == [.sessions, .restore]`), and
/// what the calls named.
public struct StorageCall: Hashable, Sendable, CustomStringConvertible {
    private let request: any StorageRequest

    /// Makes the record of a call.
    init(_ request: any StorageRequest) { self.request = request }

    /// A kind of call. The raw value is the operation that errors name.
    public struct Operation: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        /// Makes an operation by the name that errors have.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Lists the saved sessions.
        public static let sessions = Operation(rawValue: "sessions")
        /// Describes the saved sessions without restoring them.
        public static let summaries = Operation(rawValue: "summaries")
        /// Lists the restore points that the store keeps.
        public static let restorePoints = Operation(rawValue: "restore points")
        /// Says what the restore points take.
        public static let restorePointBytes = Operation(rawValue: "restore point bytes")
        /// Lists the tabs that only restore points have.
        public static let earlierTabs = Operation(rawValue: "earlier tabs")
        /// Takes a restore point.
        public static let takeRestorePoint = Operation(rawValue: "take restore point")
        /// Gives up a restore point.
        public static let releaseRestorePoint = Operation(rawValue: "release restore point")
        /// Reads sessions with their tabs.
        public static let restore = Operation(rawValue: "restore")
        /// Reads states of tabs.
        public static let states = Operation(rawValue: "states")
        /// Lists the states of the tabs in a session.
        public static let stateKeys = Operation(rawValue: "state keys")
        /// Applies a change set.
        public static let save = Operation(rawValue: "save")
        /// Deletes the incognito partition.
        public static let deleteIncognito = Operation(rawValue: "delete incognito")
        /// Looks for damage and changes nothing.
        public static let check = Operation(rawValue: "check")
        /// Repairs the store and gives up what was lost.
        public static let repair = Operation(rawValue: "repair")
        /// Deletes what was replaced or taken out.
        public static let purgeQuarantine = Operation(rawValue: "purge quarantine")
        /// Erases the traces of removed data from the files.
        public static let eraseRemoved = Operation(rawValue: "erase removed")
        /// Removes what leads to sites.
        public static let forget = Operation(rawValue: "forget")
        /// Ends the use of the store.
        public static let close = Operation(rawValue: "close")

        /// Whether its calls read or change single sessions, not the whole store or a partition.
        var concernsSessions: Bool { [.restore, .states, .stateKeys, .save].contains(self) }
    }

    /// The method that was called.
    public var operation: Operation { Operation(rawValue: request.operation) }

    public var description: String { "\(request)" }

    /// The changes to save; `nil` for other calls.
    public var changes: SessionChanges? { (request as? SaveRequest)?.changes }

    /// The requested durability; `nil` for calls other than `save`.
    public var durability: Durability? { (request as? SaveRequest)?.durability }

    /// The sessions that the call names, ascending and without duplicates; `[]` if there are none.
    /// A state is identified by its tab, which can be in any session of its partition.
    public var sessionIDs: [SessionID] {
        switch request {
        case let request as RestoreRequest: Set(request.ids).sorted()
        case let request as StateKeysRequest: [request.session]
        case let request as SaveRequest:
            Set(request.changes.changes.compactMap(\.sessionID)).sorted()
        default: []
        }
    }

    /// The tabs that the call names, directly or by a state, ascending and without duplicates.
    public var tabIDs: [TabID] {
        let read = (request as? StatesRequest)?.keys.map(\.tab) ?? []
        return Set(read + (changes?.changes.compactMap(\.tabID) ?? [])).sorted()
    }

    /// The states that the call reads, puts or removes by key, in the order of the call. Excludes
    /// the states that are removed with a tab.
    public var keys: [TabStateKey] {
        (request as? StatesRequest)?.keys ?? changes?.changes.compactMap(\.key) ?? []
    }

    public static func == (one: StorageCall, other: StorageCall) -> Bool {
        AnyHashable(one.request) == AnyHashable(other.request)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(request) }
}

extension SessionChanges.Change {
    fileprivate var sessionID: SessionID? {
        switch self {
        case .put(let record): record.session
        case .remove(_, let id): id
        case .putState, .removeState: nil
        }
    }

    fileprivate var tabID: TabID? {
        switch self {
        case .put(let record): record.tab?.id
        case .remove(let item, _): if case .tab(let id) = item { id } else { nil }
        case .putState(_, let key), .removeState(let key): key.tab
        }
    }

    fileprivate var key: TabStateKey? {
        switch self {
        case .putState(_, let key), .removeState(let key): key
        case .put, .remove: nil
        }
    }
}
