#if FaultyBackends
    import BrowserSessions
    import Foundation

    extension FaultyBackend {

        /// Makes a store that reports trouble at opening as damage.
        static func renaming(
            _ name: String, _ code: StorageError.Code, _ message: String
        ) -> FaultyBackend {
            FaultyBackend(name, says: message) { configuration throws(StorageError) in
                do throws(StorageError) {
                    return try ReferenceEngine.open(configuration)
                } catch {
                    guard error.code == code else { throw error }
                    throw StorageError(.corrupted, "the store cannot be read")
                }
            }
        }
    }
#endif
