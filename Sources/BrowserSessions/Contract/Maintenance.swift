/// What ``SessionStorage/check(_:)`` does about what it finds.
@nonexhaustive
public enum CheckMode: Hashable, Sendable {
    /// Changes nothing. As it may take long, it also stops between two records when its task is
    /// canceled, with ``StorageError/Code/cancelled``.
    case reportOnly

    /// Moves damaged bytes to the quarantine, repairs the store and gives up what is lost.
    ///
    /// When the call returns, everything left can be read, and the report lists what was given up.
    /// Repairing twice equals repairing once.
    case repair

    /// The name of the operation, as errors have it.
    package var operation: String { self == .repair ? "repair" : "check" }
}

/// What ``SessionStorage/erase(_:)`` erases. When the call returns, that is durable.
@nonexhaustive
public enum ErasureScope: Hashable, Sendable {
    /// All damaged bytes that were set aside for inspection. They hold addresses and titles, so they
    /// must not be forgotten: all other scopes include them. Afterwards, ``RecoveryReport/quarantined`` is empty.
    ///
    /// Otherwise, they are removed after thirty days. Stores that set nothing aside do nothing.
    case quarantine

    /// What was removed or replaced before the call: restore points, what was set aside, and bytes in
    /// the store's files, as far as ``StorageTraits/removalErasure`` goes. Call it after the removals when you
    /// clear browsing data.
    ///
    /// Current data of both partitions, with their sequence numbers, stays as it is, and is durable
    /// when the call returns. ``SessionStorage/restorePoints()`` is `[]` until a later opening takes
    /// one. The call takes as long as reading and writing all current data, and needs as much free
    /// space.
    ///
    /// If the call throws or is interrupted, all current data is there, and some of the rest may
    /// be; call it again. It throws ``StorageError/Code/corrupted`` and changes nothing if data
    /// cannot be read or a loss is not accepted yet, other than of restore points. Repair the store first,
    /// because what is left may still be needed. If the incognito partition cannot be opened, the call throws the
    /// reason and changes nothing; ``SessionStorage/deleteIncognito()`` gives it up. A store that cannot erase
    /// throws ``StorageError/Code/unsupported``.
    case removedData

    /// What leads to sites: the tabs on them that are closed, alone or with their window, inactive or kept
    /// for later, what leads back to them in the histories of other tabs, and the same from all restore points,
    /// which stay otherwise. Also everything that was set aside, and bytes in the store's files, as with
    /// ``removedData``.
    ///
    /// The tabs of open windows and of the library stay, also those that show a site; close them first if they
    /// are to go. States that are no histories go as a whole if their tab had a site, or if they name one, and
    /// so do icons, properties, page states and fields of newer versions that name one; see
    /// ``ForgottenSites`` for how a name is found. Addresses and titles of pages elsewhere stay,
    /// and so do titles that a user gave to windows and groups, and the sessions of the incognito partition.
    /// The numbers of change sets go up; those of restore points stay.
    ///
    /// If the call throws or is interrupted, some of it may be done; call it again. It throws
    /// ``StorageError/Code/corrupted`` and changes nothing if something cannot be read: repair the store
    /// first. A store that cannot erase throws ``StorageError/Code/unsupported``. A dry run changes nothing,
    /// and returns the same receipt.
    case sites(ForgottenSites, isDryRun: Bool = false)

    /// The name of the operation, as errors have it.
    package var operation: String {
        switch self {
        case .quarantine: "purge quarantine"
        case .removedData: "erase removed"
        case .sites: "forget"
        }
    }

    /// Whether it only finds out what would be erased.
    package var isDryRun: Bool { if case .sites(_, isDryRun: true) = self { true } else { false } }
}
