import BrowserSessions

extension StorageConfiguration {
    /// Whether a store may be on a file system that keeps its bytes on another machine.
    var allowsNetworkDisk: Bool { options["allowNetworkDisk"] == .bool(true) }

    /// Throws `StorageError.Code.invalidConfiguration` if the configuration asks for more than a
    /// backend can promise, so that a level is never lowered silently.
    func requireDurability(atMost greatest: Durability, of backend: String) throws(StorageError) {
        guard options["durability"] != nil, defaultDurability > greatest else { return }
        throw StorageError(
            .invalidConfiguration,
            """
            saves of backend '\(backend)' reach .\(greatest.rawValue) at most; the option \
            'durability' asks for .\(defaultDurability.rawValue)
            """, operation: "open")
    }
}
