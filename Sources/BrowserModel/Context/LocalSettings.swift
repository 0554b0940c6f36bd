/// Settings of this device that all profiles share and that are not synchronized.
///
/// A value that has the wrong type or cannot be read is an error, never the default: the user
/// chose something, and what it was may still be found. Only ``remove(_:)`` gives it up.
public final class LocalSettings {
    private let storage: any SettingsStorage
    private var observers = Observers<any LocalSettingsObserver>()
    /// The number of the last change of each setting that was told.
    private var changes: [String: Int] = [:]

    /// - Parameter storage: the default keeps nothing beyond the process.
    public init(storage: any SettingsStorage = MemorySettingsStorage()) {
        self.storage = storage
    }

    /// The value that was set; the default of the key if none was.
    ///
    /// Throws ``SettingsError/wrongType(name:found:expected:)`` or
    /// ``SettingsError/unreadable(name:underlying:)``.
    public func value<Value>(of key: SettingKey<Value>) throws(SettingsError) -> Value {
        try storedValue(of: key) ?? key.defaultValue
    }

    /// Sets the value and tells the observers if it is another one than before.
    ///
    /// Also writes a value that equals the default, since a later default may differ; writes
    /// nothing if it was already set to this value. Does not replace a value that cannot be read:
    /// it throws what ``value(of:)`` throws. Throws
    /// ``SettingsError/notWritten(name:underlying:)`` if the storage does.
    public func set<Value>(_ value: Value, for key: SettingKey<Value>) throws(SettingsError) {
        let before = try storedValue(of: key)
        guard before != value else { return }
        try write(value.stored, named: key.name)
        if before ?? key.defaultValue != value { tellObservers(of: key.name) }
    }

    /// Removes the value, also one that cannot be read, so that the default holds again. Tells the
    /// observers unless the value was the default.
    ///
    /// Throws ``SettingsError/notWritten(name:underlying:)`` if the storage does.
    public func remove<Value>(_ key: SettingKey<Value>) throws(SettingsError) {
        let before = try? value(of: key)
        try write(nil, named: key.name)
        if before != key.defaultValue { tellObservers(of: key.name) }
    }

    public func addObserver(_ observer: any LocalSettingsObserver) {
        observers.add(observer) { [weak observer] in observer }
    }
    public func removeObserver(_ observer: any LocalSettingsObserver) { observers.remove(observer) }

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
            // An observer before may have changed it again, which all have heard of then.
            guard changes[name] == change else { return }
            observer.localSettings(self, didChange: name)
        }
    }
}

/// Hears of local settings that change.
///
/// It reads the value itself, so that none gets an older value after a newer one; it may change
/// settings. If one changes a setting that is being told of, those after it hear of it once.
public protocol LocalSettingsObserver: AnyObject {
    /// The setting of that name has another value, or its default again.
    func localSettings(_ settings: LocalSettings, didChange name: String)
}
