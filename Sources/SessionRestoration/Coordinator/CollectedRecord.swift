import BrowserModel
import BrowserSessions

/// A pending record with its content from the model.
struct CollectedRecord {
    enum Content {
        /// Nothing had to be read, or the model does not have the record.
        case none
        case attributes(SessionAttributes)
        /// A tab and its page's state; `nil` if the state need not be saved or is in the store.
        case tab(TabMetadata, TabState?)
    }

    var record: PendingChanges.Record
    /// The pending version when the record was read. A record that has changed since is not sent.
    var version: Int
    /// Whether to send the record. A record that the store refused is read as well, because it must
    /// not be removed with its session.
    var isWanted = true
    var content = Content.none
}
