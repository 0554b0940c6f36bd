import BrowserSessions
import Foundation
import LocalFiles

/// The folders that a run needs: it never touches what was there before.
struct WorkFolders {
    private var made: [String] = []

    /// Makes the folder if it is absent; throws if something is in it.
    mutating func prepare(_ folder: String) throws(StorageError) {
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

    /// A folder that does not exist yet.
    static func temporary() -> String {
        let base = URL(filePath: NSTemporaryDirectory()).path
        return "\(base)/storagecheck-\(UUID().uuidString)"
    }

    /// Where a person repeats what was run in a temporary folder.
    static var forAgain: String {
        "\(URL(filePath: NSTemporaryDirectory()).path)/storagecheck-again"
    }

    /// Removes the folders that were made; what is left in them was left by a backend.
    func remove() {
        for folder in made where (try? FileSystem.contents(of: folder))?.isEmpty == true {
            try? FileSystem.remove(folder)
        }
    }
}
