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
package final class MemorySettingsStorage: SettingsStorage {
    /// All settings by name.
    package private(set) var settings: [String: StoredSetting]

    /// Creates a storage with settings by name; by default, it has none.
    package init(_ settings: [String: StoredSetting] = [:]) { self.settings = settings }

    package func setting(named name: String) -> StoredSetting? { settings[name] }

    package func setSetting(_ value: StoredSetting?, named name: String) {
        settings[name] = value
    }
}
