/// Stores local settings for ``LocalSettings``. A host implements it over a file or its system's
/// preferences.
public protocol SettingsStorage: AnyObject {
    /// Returns the value with a name; `nil` if there is none.
    ///
    /// - Throws: an error if a value exists but cannot be read. It must not return `nil` then,
    ///   because the setting would count as never set.
    func setting(named name: String) throws -> StoredSetting?

    /// Stores a value, or removes it for `nil`.
    ///
    /// - Throws: an error if the value cannot be written. The former value then remains.
    func setSetting(_ value: StoredSetting?, named name: String) throws
}

/// Settings that do not outlive the process, for tests and for hosts that want no others.
public final class MemorySettingsStorage: SettingsStorage {
    /// All settings by name.
    public private(set) var settings: [String: StoredSetting]

    /// Creates a storage with settings by name; by default, it has none.
    public init(_ settings: [String: StoredSetting] = [:]) { self.settings = settings }

    public func setting(named name: String) -> StoredSetting? { settings[name] }

    public func setSetting(_ value: StoredSetting?, named name: String) {
        settings[name] = value
    }
}
