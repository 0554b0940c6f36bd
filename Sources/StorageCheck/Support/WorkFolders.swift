import BrowserSessions
import Foundation
import StorageEngines

/// The folders that a run needs. A run never touches existing content.
struct WorkFolders {
    private var made: [String] = []
    /// All that stores were made in.
    private var used: Set<String> = []

    /// Makes the folder if it is absent; throws if it has content.
    mutating func prepare(_ folder: String) throws(StorageError) {
        used.insert(folder)
        guard try FileSystem.exists(folder) else {
            try FileSystem.makeDirectories(folder)
            made.append(folder)
            return
        }
        let isEmpty = try FileSystem.contents(of: folder).isEmpty
        guard isEmpty || made.contains(folder) else {
            throw StorageError(
                .invalidConfiguration,
                "'\(folder)' is not empty; name an empty folder or one that does not exist",
                operation: "check")
        }
    }

    /// Returns the path of a folder that does not yet exist.
    static func temporary() -> String {
        let base = URL(filePath: NSTemporaryDirectory()).path
        return "\(base)/storagecheck-\(UUID().uuidString)"
    }

    /// The folder where a person repeats what ran in a temporary folder.
    static var forAgain: String {
        "\(URL(filePath: NSTemporaryDirectory()).path)/storagecheck-again"
    }

    /// Removes the folders that were made, if they are empty. A backend left the contents of the others.
    ///
    /// - Parameter keepsKeys: whether keys of stores that were in them stay in the user's keyring, for copies
    ///   of the stores.
    func remove(keepingKeys keepsKeys: Bool = false) {
        if !keepsKeys { for folder in used { KeyringKeys.remove(ofStoresAt: folder) } }
        for folder in made where (try? FileSystem.contents(of: folder))?.isEmpty == true {
            try? FileSystem.remove(folder)
        }
    }
}
