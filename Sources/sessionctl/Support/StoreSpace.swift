import BackendSelection
import BrowserSessions
import StorageEngines

extension ResolvedSelection {
    /// The path of the store's folder; `nil` if its backend keeps no files.
    var folder: String? {
        backend.locationForm == .path ? configuration.location : nil
    }

    /// Returns the space that the store's files take; `nil` if its backend keeps no files.
    func use() throws(StorageError) -> StoreUse? {
        guard let folder else { return nil }
        return try StoreUse(at: folder)
    }
}
