/// Settings of this device that all profiles share and that are not synchronized.
///
/// A value that has the wrong type or cannot be read is an error, never the default: the user
/// chose something, and what it was may still be found. Only ``remove(_:)`` gives it up.
public final class LocalSettings {
    private let storage: any SettingsStorage
    private var observers: [String: [(number: Int, tell: (StoredSetting?) -> Void)]] = [:]
    /// The number of the last change of each setting that was told.
    private var changes: [String: Int] = [:]
    private var observations = 0

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
        if before ?? key.defaultValue != value { tellObservers(value.stored, named: key.name) }
    }

    /// Removes the value, also one that cannot be read, so that the default holds again. Tells the
    /// observers unless the value was the default.
    ///
    /// Throws ``SettingsError/notWritten(name:underlying:)`` if the storage does.
    public func remove<Value>(_ key: SettingKey<Value>) throws(SettingsError) {
        let before = try? value(of: key)
        try write(nil, named: key.name)
        if before != key.defaultValue { tellObservers(nil, named: key.name) }
    }

    /// Calls the handler with the new value after each change, until the observation is cancelled
    /// or let go of.
    ///
    /// A handler may change settings. None hears an older value after a newer one: if a handler
    /// changes the value again, those after it hear the last value only.
    public func observe<Value>(
        _ key: SettingKey<Value>, _ handler: @escaping (Value) -> Void
    ) -> SettingObservation {
        observations += 1
        let number = observations
        observers[key.name, default: []].append(
            (
                number,
                { stored in
                    if let value = stored.map({ Value($0) }) ?? key.defaultValue { handler(value) }
                }
            ))
        return SettingObservation(settings: self, name: key.name, number: number)
    }

    func removeObserver(_ number: Int, of name: String) {
        guard let before = observers[name] else { return }
        // The handler may own other observations, which end with it: not while this changes.
        withExtendedLifetime(before) {
            observers[name] = before.filter { $0.number != number }
        }
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

    private func tellObservers(_ value: StoredSetting?, named name: String) {
        let change = changes[name, default: 0] + 1
        changes[name] = change
        for observer in observers[name] ?? [] {
            // An observer before may have changed the value or cancelled this one.
            guard changes[name] == change else { return }
            guard observers[name]?.contains(where: { $0.number == observer.number }) == true
            else { continue }
            observer.tell(value)
        }
    }
}

/// Keeps a handler of ``LocalSettings/observe(_:_:)`` alive.
public final class SettingObservation {
    private weak var settings: LocalSettings?
    private let name: String
    private let number: Int

    init(settings: LocalSettings, name: String, number: Int) {
        self.settings = settings
        self.name = name
        self.number = number
    }

    deinit { cancel() }

    /// Ends it: the handler is not called any more. Twice is fine.
    public func cancel() { settings?.removeObserver(number, of: name) }
}
