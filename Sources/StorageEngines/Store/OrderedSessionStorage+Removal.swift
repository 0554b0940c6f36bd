public import BrowserSessions

extension OrderedSessionStorage {
    /// Removes the store at a location; see `StorageBackend.remove(_:)`. Returns whether it
    /// existed.
    ///
    /// - Parameter configuration: says where the store is.
    /// - Parameter engine: the engine that made it.
    /// - Parameter incognito: what seals its incognito partition, to find the key.
    /// - Parameter fileSystem: the file system of the location; tests may supply their own.
    /// - Parameter environment: the clock and the randomness; tests may supply their own.
    @discardableResult
    public static func remove(
        _ configuration: StorageConfiguration,
        engine: any FileEngine,
        incognito: IncognitoProtection? = nil,
        on fileSystem: any LocalFileSystem = PosixFileSystem(),
        in environment: StoreEnvironment = .system
    ) throws(StorageError) -> Bool {
        try removing(configuration) { configuration throws(StorageError) in
            let root: StoreDirectory
            do throws(StorageError) {
                root = try StoreDirectory(
                    configuration, engine: engine, on: fileSystem, in: environment)
            } catch {
                guard error.code == .notFound else { throw error }
                return false
            }
            try StoreRemoval(of: root, incognito).run()
            return true
        }
    }

    /// Removes the store of a connected engine at a location. Returns whether it existed.
    @discardableResult
    public static func remove(
        _ configuration: StorageConfiguration,
        engine: any ConnectedEngine,
        incognito: IncognitoProtection? = nil,
        in environment: StoreEnvironment = .system
    ) throws(StorageError) -> Bool {
        try removing(configuration) { configuration throws(StorageError) in
            let location = ConnectedRemoval(
                configuration: configuration, engine: engine, protection: incognito,
                environment: environment)
            return try location.run()
        }
    }

    private static func removing(
        _ configuration: StorageConfiguration,
        _ work: (StorageConfiguration) throws(StorageError) -> Bool
    ) throws(StorageError) -> Bool {
        var configuration = configuration
        configuration.options["create"] = .bool(false)
        do throws(StorageError) {
            guard configuration.access == .readWrite else { throw StorageError.readOnly }
            return try work(configuration)
        } catch { throw error.during("remove").about(configuration.location) }
    }
}

/// Removes the store of a connected engine, even if an answer is lost.
private struct ConnectedRemoval {
    let configuration: StorageConfiguration
    let engine: any ConnectedEngine
    let protection: IncognitoProtection?
    let environment: StoreEnvironment

    /// How far the removal came.
    private enum Progress {
        case absent, removed
        /// The store counts as removed, but parts of it may be left.
        case begun(StorageError)
    }

    func run() throws(StorageError) -> Bool {
        switch try remove(onlyIfBegun: false) {
        case .absent: return false
        case .removed: return true
        case .begun(let failure):
            // Perhaps only the answer was lost, or the connection.
            guard let progress = try? remove(onlyIfBegun: true) else { throw failure }
            if case .begun(let failure) = progress { throw failure }
            return true
        }
    }

    /// - Parameter onlyIfBegun: whether a store stays if its removal has not begun.
    private func remove(onlyIfBegun: Bool) throws(StorageError) -> Progress {
        let root = try StoreConnection(
            configuration, engine: engine, in: environment, toRemove: true)
        if root.wasAbsent {
            // Openers that made no store may have left something.
            try root.remove()
            return .absent
        }
        if onlyIfBegun, !root.isBeingRemoved {
            throw StorageError(.failed, "another store is there")
        }
        do throws(StorageError) {
            try StoreRemoval(of: root, protection).run()
            return .removed
        } catch {
            guard root.isBeingRemoved else { throw error }
            return .begun(error)
        }
    }
}
