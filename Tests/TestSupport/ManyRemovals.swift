package import BrowserSessions

extension StorageBackend {
    /// Removes a store by all of these at once; returns how many removed one, and why others did not.
    package static func remove(_ configuration: StorageConfiguration, byAll backends: [Self]) async
        -> (removed: Int, refusals: [StorageError])
    {
        await withTaskGroup(of: Result<Bool, StorageError>.self) { group in
            for backend in backends {
                group.addTask {
                    do throws(StorageError) {
                        return .success(try await backend.remove(configuration))
                    } catch { return .failure(error) }
                }
            }
            var (removed, refusals) = (0, [StorageError]())
            for await result in group {
                switch result {
                case .success(let wasThere): removed += wasThere ? 1 : 0
                case .failure(let error): refusals.append(error)
                }
            }
            return (removed, refusals)
        }
    }
}
