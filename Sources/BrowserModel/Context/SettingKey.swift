/// Names a local setting and says what it is as long as nobody set it.
///
/// ```swift
/// extension SettingKey<Int> {
///     static var inactiveDays: Self { SettingKey("tabs.inactive-days", default: 21) }
/// }
/// ```
public struct SettingKey<Value: SettingValue>: Sendable {
    /// The name under which the value is kept; one for each setting of the program.
    public let name: String
    public let defaultValue: Value

    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
    }
}

/// A setting in the form in which a ``SettingsStorage`` keeps it.
public enum StoredSetting: Hashable, Sendable {
    case bool(Bool)
    case integer(Int)
    case text(String)
    case texts([String])

    /// The name of the type, for messages.
    public var typeName: String {
        switch self {
        case .bool: "Bool"
        case .integer: "Int"
        case .text: "String"
        case .texts: "[String]"
        }
    }
}

/// A type that settings can have. A host's enumeration with raw values of such a type conforms
/// without writing anything.
public protocol SettingValue: Equatable, Sendable {
    /// `nil` if the stored form is of another type or stands for no value.
    init?(_ stored: StoredSetting)
    /// The form in which it is kept.
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
    /// The value with the stored raw value; `nil` if there is none.
    public init?(_ stored: StoredSetting) {
        guard let raw = RawValue(stored) else { return nil }
        self.init(rawValue: raw)
    }

    public var stored: StoredSetting { rawValue.stored }
}
