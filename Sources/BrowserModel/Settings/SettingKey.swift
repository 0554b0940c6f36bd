/// The name of a local setting and its default value.
///
/// ```swift
/// extension SettingKey<Int> {
///     static var inactiveDays: Self { SettingKey("tabs.inactive-days", default: 21) }
/// }
/// ```
public struct SettingKey<Value: SettingValue>: Sendable {
    /// The name under which the value is stored; unique for each setting of the program.
    public let name: String
    /// The value that applies while none is set.
    package let defaultValue: Value

    /// Creates a key with its name and the value that applies while none is set.
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
    }
}

/// A setting in the form in which a ``SettingsStorage`` stores it.
public enum StoredSetting: Hashable, Sendable {
    /// A Boolean value.
    case bool(Bool)
    /// An integer.
    case integer(Int)
    /// A string.
    case text(String)
    /// A list of strings in order.
    case texts([String])

    /// The name of the type, for messages.
    package var typeName: String {
        switch self {
        case .bool: "Bool"
        case .integer: "Int"
        case .text: "String"
        case .texts: "[String]"
        }
    }
}

/// A type that settings can have. A host's enumeration with raw values of such a type conforms
/// without further code.
public protocol SettingValue: Equatable, Sendable {
    /// Creates a value; `nil` if the stored form is of another type or does not represent a value.
    init?(_ stored: StoredSetting)
    /// The form in which the value is stored.
    var stored: StoredSetting { get }
}

extension Bool: SettingValue {
    public init?(_ stored: StoredSetting) {
        guard case .bool(let value) = stored else { return nil }
        self = value
    }

    public var stored: StoredSetting { .bool(self) }
}

extension Int: SettingValue {
    public init?(_ stored: StoredSetting) {
        guard case .integer(let value) = stored else { return nil }
        self = value
    }

    public var stored: StoredSetting { .integer(self) }
}

extension String: SettingValue {
    public init?(_ stored: StoredSetting) {
        guard case .text(let value) = stored else { return nil }
        self = value
    }

    public var stored: StoredSetting { .text(self) }
}

extension [String]: SettingValue {
    public init?(_ stored: StoredSetting) {
        guard case .texts(let value) = stored else { return nil }
        self = value
    }

    public var stored: StoredSetting { .texts(self) }
}

extension SettingValue where Self: RawRepresentable, RawValue: SettingValue {
    /// Creates the value with the stored raw value; `nil` if there is none.
    public init?(_ stored: StoredSetting) {
        guard let raw = RawValue(stored) else { return nil }
        self.init(rawValue: raw)
    }

    public var stored: StoredSetting { rawValue.stored }
}
