/// Keeps local settings for ``LocalSettings``. A host writes one over a file or what its system
/// has for preferences.
public protocol SettingsStorage: AnyObject {
    /// The value of that name; `nil` if there is none.
    ///
    /// Throws if there is one that cannot be read. It must not answer `nil` then, because the
    /// value would count as never set.
    func setting(named name: String) throws -> StoredSetting?

    /// Keeps a value, or removes it if it is `nil`. If it throws, the former value stays.
    func setSetting(_ value: StoredSetting?, named name: String) throws
}

/// Settings that are gone with the process: for tests, and for hosts that want no others.
public final class MemorySettingsStorage: SettingsStorage {
    /// All settings by name.
    public private(set) var settings: [String: StoredSetting]

    public init(_ settings: [String: StoredSetting] = [:]) { self.settings = settings }

    public func setting(named name: String) -> StoredSetting? { settings[name] }

    public func setSetting(_ value: StoredSetting?, named name: String) {
        settings[name] = value
    }
}
