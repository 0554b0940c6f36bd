import BrowserSessions

/// The two partitions of one store, their clean-close markers, and what seals the incognito partition.
protocol StorePartitions: AnyObject {
    /// Returns whether anything of the partition exists.
    func holds(_ partition: StoragePartition) throws(StorageError) -> Bool

    /// Opens a partition's records; there are none if nothing of it exists.
    func open(_ partition: StoragePartition, wasClosed: Bool) throws -> any OrderedByteStore

    /// Visits what can be read of a damaged partition, which is not open; see
    /// ``SalvagingFileEngine/salvage(_:_:)``.
    func salvage(_ partition: StoragePartition, _ visit: RecordVisitor) throws -> [String]

    /// Writes the clean-close marker of a partition, with a token of letters and digits.
    func markClosed(_ partition: StoragePartition, _ token: String) throws(StorageError)

    /// Notes that the partition may change from now on.
    func markOpen(_ partition: StoragePartition) throws(StorageError)

    /// Removes the marker of a partition that is known, and noted, to be older than the marker.
    func forgetMark(of partition: StoragePartition) throws(StorageError)

    /// Returns `nil` if there is no marker, or it is damaged.
    func mark(of partition: StoragePartition) throws(StorageError) -> CloseMarker?

    // MARK: Repair

    /// Opens an empty store in which a partition is rebuilt.
    func makeReplacement(_ partition: StoragePartition) throws -> any OrderedByteStore

    /// Discards what ``makeReplacement(_:)`` began.
    func discardReplacement(_ partition: StoragePartition) throws(StorageError)

    /// Replaces a partition with the rebuilt one. Both are closed, and the rebuilt one is durable.
    ///
    /// With a report, the replaced partition moves to the quarantine as it is, which takes no space
    /// and omits nothing. Without one it is destroyed; an incognito partition always is.
    func exchange(_ partition: StoragePartition, keepingReplaced report: [String]?)
        throws(StorageError)

    // MARK: Incognito

    /// Makes the incognito partition inaccessible at once and for good; its bytes stay for now.
    func moveIncognitoAway() throws(StorageError)

    /// Removes what a deletion or an interrupted repair left and what would otherwise replace a
    /// removed partition.
    func removeIncognitoRemains() throws(StorageError)

    /// Returns one copy of a sealed partition's header, valid or not; `nil` if there is none.
    func header(_ name: String) throws(StorageError) -> [UInt8]?

    /// Writes a copy of the header, durably.
    func putHeader(_ name: String, _ bytes: [UInt8]) throws(StorageError)

    /// Removes the copies of the header. The removal is durable after ``syncRemovals()``.
    func removeHeaders() throws(StorageError)

    /// Makes removals survive a power cut.
    func syncRemovals() throws(StorageError)

    /// Returns the store's location, for the record of its key; `nil` if its files are not copied
    /// as files, or it may not be changed.
    func keyLocation() throws(StorageError) -> KeyLocation?

    /// Replaces the incognito partition with the repaired one, which is durable, closed, and has
    /// other headers and another key. Once this has begun, an opening finishes it.
    func exchangeResealed() throws(StorageError)

    /// Removes the headers of a partition that never replaced the other one.
    func removeResealingDrafts() throws(StorageError)

    /// The directory in which a key store may keep keys; `nil` if the store has none.
    var directoryForKeys: (any FileDirectory)? { get }
}

/// The clean-close marker of a partition, which reveals an older or shorter one.
struct CloseMarker: Equatable {
    /// A token for the sequence number; in a sealed partition it can be read only with the key.
    var token: String
    /// Whether the partition had this number at its last change.
    var isLast: Bool
}

extension StorePartitions {
    /// Whether there is an incognito partition, or was one that was not deleted.
    var holdsIncognito: Bool {
        get throws(StorageError) {
            if try holds(.incognito) { return true }
            return try mark(of: .incognito) != nil
        }
    }

    /// Whether there is a header, in any state.
    var hasHeader: Bool {
        get throws(StorageError) {
            for name in IncognitoHeader.fileNames where try header(name) != nil { return true }
            return false
        }
    }
}
