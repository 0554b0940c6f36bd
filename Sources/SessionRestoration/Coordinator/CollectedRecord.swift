import BrowserModel
import BrowserSessions

/// A pending record with its content from the model.
struct CollectedRecord {
    enum Content {
        /// Nothing had to be read, or the model does not have the record.
        case none
        case session(SessionContent)
        /// A tab, its page's state, or `nil` if that need not be saved or is in the store, and the nodes above
        /// it, if the store may not have the nearest.
        case tab(TabMetadata, TabState?, [StructureNode])
    }

    var record: PendingChanges.Record
    /// The pending version when the record was read. A record that has changed since is not sent.
    var version: Int
    /// Whether to send the record. A record that the store refused is read as well, because it must
    /// not be removed with its session.
    var isWanted = true
    var content = Content.none
}
