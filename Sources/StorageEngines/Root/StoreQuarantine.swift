import BrowserSessions

/// What one store keeps of damage that was replaced or taken out.
protocol StoreQuarantine: AnyObject {
    /// Keeps bytes in the quarantine, with a report.
    func setAside(_ bytes: [UInt8], reason: String, _ report: [String]) throws(StorageError)

    /// Returns the paths of everything in the quarantine, oldest first.
    func quarantined() throws(StorageError) -> [String]

    /// Returns everything in the quarantine, oldest first. A store that is only read leaves out what its
    /// own opening found.
    func quarantineItems() throws(StorageError) -> [QuarantinedItem]

    /// Removes everything from the quarantine.
    func purgeQuarantine() throws(StorageError)

    /// Moves an incognito partition that cannot be opened to the quarantine as it is, with its
    /// headers and the keys beside it. Afterwards the store has none.
    func setIncognitoAside(_ report: [String]) throws(StorageError)

    /// Removes incognito partitions from the quarantine.
    func removeIncognitoSetAside() throws(StorageError)
}
