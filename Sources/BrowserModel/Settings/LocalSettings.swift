/// Settings of this device that all profiles share and that are not synchronized.
///
/// A value that has the wrong type or cannot be read is an error, never the default: the user chose
/// a value, and it may still be recovered. Only ``remove(_:)`` discards it.
public final class LocalSettings {
    private let storage: any SettingsStorage
    private var observers = Observers<any LocalSettingsObserver>()
    /// The number of the last reported change of each setting.
    private var changes: [String: Int] = [:]

    /// - Parameter storage: where settings are kept; by default, they do not outlive the process.
    public init(storage: (any SettingsStorage)? = nil) {
        self.storage = storage ?? MemorySettingsStorage()
    }

    /// Returns the value that was set, or the key's default if there is none.
    ///
    /// - Throws: ``SettingsError/wrongType(name:found:expected:)`` or
    ///   ``SettingsError/unreadable(name:underlying:)``.
    public func value<Value>(of key: SettingKey<Value>) throws(SettingsError) -> Value {
        try storedValue(of: key) ?? key.defaultValue
    }

    /// Sets the value, and notifies the observers if it differs from before.
    ///
    /// A value that equals the default is also written, because a later default may differ. Setting
    /// the stored value again writes nothing.
    ///
    /// - Throws: the errors of ``value(of:)``, because a value that cannot be read is not replaced;
    ///   ``SettingsError/notWritten(name:underlying:)`` if the storage fails.
    public func set<Value>(_ value: Value, for key: SettingKey<Value>) throws(SettingsError) {
        let before = try storedValue(of: key)
        guard before != value else { return }
        try write(value.stored, named: key.name)
        if before ?? key.defaultValue != value { tellObservers(of: key.name) }
    }

    /// Removes the value, even one that cannot be read, so that the default applies again. Notifies
    /// the observers unless the value was the default.
    ///
    /// - Throws: ``SettingsError/notWritten(name:underlying:)`` if the storage fails.
    public func remove<Value>(_ key: SettingKey<Value>) throws(SettingsError) {
        let before = try? value(of: key)
        try write(nil, named: key.name)
        if before != key.defaultValue { tellObservers(of: key.name) }
    }

    /// Adds an observer, which is held weakly. Adding it again has no effect.
    public func addObserver(_ observer: any LocalSettingsObserver) {
        observers.add(observer) { [weak observer] in observer }
    }

    /// Removes an observer. Does nothing if it was not added.
    public func removeObserver(_ observer: any LocalSettingsObserver) {
        observers.remove(observer)
    }

    private func storedValue<Value>(of key: SettingKey<Value>) throws(SettingsError) -> Value? {
        let stored: StoredSetting?
        do {
            stored = try storage.setting(named: key.name)
        } catch {
            throw .unreadable(name: key.name, underlying: error)
        }
        guard let stored else { return nil }
        guard let value = Value(stored) else {
            throw .wrongType(
                name: key.name, found: stored.typeName, expected: "\(Value.self)")
        }
        return value
    }

    private func write(_ value: StoredSetting?, named name: String) throws(SettingsError) {
        do {
            try storage.setSetting(value, named: name)
        } catch {
            throw .notWritten(name: name, underlying: error)
        }
    }

    private func tellObservers(of name: String) {
        let change = changes[name, default: 0] + 1
        changes[name] = change
        for observer in observers.current {
            // An earlier observer may have changed it again, and then all were notified of that.
            guard changes[name] == change else { return }
            observer.localSettings(self, didChange: name)
        }
    }
}

/// Receives changes of local settings.
///
/// An observer reads the value itself, so that it never gets an older value after a newer one. It
/// can change settings: changing the one being reported notifies later observers once.
public protocol LocalSettingsObserver: AnyObject {
    /// The setting with this name has another value, or its default again.
    func localSettings(_ settings: LocalSettings, didChange name: String)
}
