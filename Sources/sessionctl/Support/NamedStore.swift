import BackendSelection
import BrowserSessions
import CommandLineSupport
import StorageEngines
import ToolSupport

extension ResolvedSelection {
    /// Selects a store that an argument names, whatever the environment says.
    static func named(
        _ store: String, by argument: String = "STORE", to purpose: StorePurpose = .look
    ) throws(StorageError) -> ResolvedSelection {
        var request = SelectionRequest(
            store: store, environment: [:], workingDirectory: OwnProgram.workingDirectory)
        request.storeArgument = argument
        let options = purpose.options
        return try request.resolve(
            registry: .tool(), code: options.isEmpty ? nil : .code(options: options))
    }

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
