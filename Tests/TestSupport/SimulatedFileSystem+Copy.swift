import Synchronization

@testable package import StorageConformance

extension SimulatedFileSystem {
    /// Returns another file system with the same content, and the same part of it synced.
    package func copied() -> SimulatedFileSystem {
        let (copy, state) = (SimulatedFileSystem(.ordered), state.withLock { $0 })
        copy.state.withLock { $0 = state }
        return copy
    }
}
