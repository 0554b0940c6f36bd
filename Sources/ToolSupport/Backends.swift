package import BackendSelection
package import BrowserSessions
import CommandLineSupport
import DirectoryBackend
import LevelDBBackend
import SQLiteBackend

#if PostgreSQL
    import PostgreSQLBackend
#endif

extension StorageBackend {
    /// The backends in this package.
    package static let builtIn: [StorageBackend] = local + remote

    private static let local: [StorageBackend] = [.directory, .sqlite, .leveldb]

    #if PostgreSQL
        private static let remote: [StorageBackend] = [.postgreSQL]
    #else
        private static let remote: [StorageBackend] = []
    #endif
}

/// The information that the tools of this package report about themselves.
package enum ToolLibraries {
    /// The versions of the libraries under the backends, by name.
    package static var versions: [String: String] {
        ["sqlite": SQLiteLibrary.version, "leveldb": LevelDBLibrary.version]
    }

    /// Returns the version of a tool with all backends, for `--version`.
    package static func version(of tool: String) -> String {
        ToolVersion.text(tool, libraries: versions)
    }
}

extension BackendRegistry {
    /// Returns the backends that the tools of this package know.
    package static func tool() throws(StorageError) -> BackendRegistry {
        try BackendRegistry(StorageBackend.builtIn)
    }
}
