/// The reason a local setting cannot be read or written. The stored value is unchanged.
@nonexhaustive
public enum SettingsError: Error, Sendable {
    /// The stored value has another type than the key, or does not represent a value.
    case wrongType(name: String, found: String, expected: String)
    /// The storage has a value but cannot read it.
    case unreadable(name: String, underlying: any Error)
    /// The storage could not write or remove the value.
    case notWritten(name: String, underlying: any Error)
}

extension SettingsError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .wrongType(let name, let found, let expected):
            "setting '\(name)' holds a value of type \(found) that is no \(expected); use one type"
                + " for the name, or remove the value with remove(_:)"
        case .unreadable(let name, let underlying):
            "setting '\(name)' cannot be read: \(underlying); repair the storage, or remove the"
                + " value with remove(_:)"
        case .notWritten(let name, let underlying):
            "setting '\(name)' cannot be written: \(underlying); it is as before, try again"
        }
    }
}
