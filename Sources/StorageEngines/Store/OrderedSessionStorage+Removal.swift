public import BrowserSessions

extension OrderedSessionStorage {
    /// Removes the store at a location; see `StorageBackend.removeBlocking(_:)`. Returns whether there was
    /// one.
    ///
    /// - Parameter incognito: what its incognito side is sealed with, to find the key.
    /// - Parameter fileSystem: where the location is; tests may have one of their own.
    /// - Parameter environment: the clock and the randomness; tests may have their own.
    @discardableResult
    public static func remove(
        _ configuration: StorageConfiguration,
        engine: any FileEngine,
        incognito: IncognitoProtection? = nil,
        on fileSystem: any LocalFileSystem = PosixFileSystem(),
        in environment: StoreEnvironment = .system
    ) throws(StorageError) -> Bool {
        try removing(configuration) { configuration throws(StorageError) in
            let home: LocalHome
            do throws(StorageError) {
                home = try LocalHome(
                    configuration, engine: engine, on: fileSystem, in: environment)
            } catch {
                guard error.code == .notFound else { throw error }
                return false
            }
            try StoreRemoval(of: home, incognito).run()
            return true
        }
    }

    /// The same for an engine with a place of its own.
    @discardableResult
    public static func remove(
        _ configuration: StorageConfiguration,
        engine: any ConnectedEngine,
        incognito: IncognitoProtection? = nil,
        in environment: StoreEnvironment = .system
    ) throws(StorageError) -> Bool {
        try removing(configuration) { configuration throws(StorageError) in
            let place = ConnectedRemoval(
                configuration: configuration, engine: engine, protection: incognito,
                environment: environment)
            return try place.run()
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

/// Removes a store that lies elsewhere, whatever became of an answer.
private struct ConnectedRemoval {
    let configuration: StorageConfiguration
    let engine: any ConnectedEngine
    let protection: IncognitoProtection?
    let environment: StoreEnvironment

    /// How far it came.
    private enum Progress {
        case absent, removed
        /// The store counts as gone, but something of it may be left.
        case begun(StorageError)
    }

    func run() throws(StorageError) -> Bool {
        switch try remove(onlyIfBegun: false) {
        case .absent: return false
        case .removed: return true
        case .begun(let failure):
            // The answer alone may be lost, or the connection.
            guard let progress = try? remove(onlyIfBegun: true) else { throw failure }
            if case .begun(let failure) = progress { throw failure }
            return true
        }
    }

    /// - Parameter onlyIfBegun: whether a store that nobody began to remove stays.
    private func remove(onlyIfBegun: Bool) throws(StorageError) -> Progress {
        let home = try ConnectedHome(
            configuration, engine: engine, in: environment, toRemove: true)
        if home.wasAbsent {
            // Openers that made nothing may have left something.
            try home.remove()
            return .absent
        }
        if onlyIfBegun, !home.isBeingRemoved {
            throw StorageError(.failed, "another store is there")
        }
        do throws(StorageError) {
            try StoreRemoval(of: home, protection).run()
            return .removed
        } catch {
            guard home.isBeingRemoved else { throw error }
            return .begun(error)
        }
    }
}
