/// The source of a setting, precise enough to find and change it.
public enum SelectionSource: Hashable, Sendable {
    /// The program itself.
    case code
    /// A command-line argument, such as `--option durability`.
    case commandLine(argument: String)
    /// The URL in a command-line argument, such as `--storage`.
    case url(argument: String)
    /// An environment variable.
    case environment(variable: String)
    /// A configuration file. The key is a path such as `options.durability`; empty for the file.
    case file(path: String, key: String = "", line: Int? = nil)
    /// The declaration of the option.
    case backendDefault

    /// The path that stands for standard input.
    static let standardInput = "-"

    /// The level of the source.
    public var level: SelectionLevel {
        switch self {
        case .code: .code
        case .commandLine: .commandLine
        case .url: .url
        case .environment: .environment
        case .file: .file
        case .backendDefault: .backendDefault
        }
    }
}

extension SelectionSource: CustomStringConvertible {
    /// The source in words, such as `environment variable SESSION_STORAGE_BACKEND`.
    public var description: String {
        switch self {
        case .code: "code"
        case .commandLine(let argument): "command line (\(argument))"
        case .url(let argument): "URL of \(argument)"
        case .environment(let variable): "environment variable \(variable)"
        case .file(let path, let key, let line):
            (path == Self.standardInput ? "standard input" : path)
                + (line.map { ":\($0)" } ?? "") + (key.isEmpty ? "" : " (\(key))")
        case .backendDefault: "default"
        }
    }
}

/// The strength of a source. A higher level overrides a lower one.
public enum SelectionLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The default in the declaration of an option; the weakest level.
    case backendDefault = "default"
    /// A configuration file. It overrides only the defaults.
    case file
    /// An environment variable, including the URL in `SESSION_STORAGE_URL`.
    case environment
    /// A URL in a command-line argument.
    case url
    /// A command-line argument that is not a URL, such as `--option` or the path of a store.
    case commandLine
    /// The program itself; the strongest level.
    case code

    /// Orders from the weakest to the strongest.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A value with its source.
public struct Stated<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value as the source states it.
    public var value: Value
    /// The source of the value, for messages and for ``SelectionExplanation``.
    public var source: SelectionSource

    /// Creates a value from a source.
    public init(_ value: Value, from source: SelectionSource) {
        self.value = value
        self.source = source
    }
}
