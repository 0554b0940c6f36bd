/// Where something was said, exact enough to go and change it.
public enum SelectionSource: Hashable, Sendable {
    /// The program itself.
    case code
    /// An argument of the command line: `--option durability`.
    case commandLine(argument: String)
    /// The URL in an argument of the command line: `--storage`.
    case url(argument: String)
    /// A variable of the environment.
    case environment(variable: String)
    /// A configuration file; the key is a path like `options.durability`, empty for the file itself.
    case file(path: String, key: String = "", line: Int? = nil)
    /// The declaration of the option.
    case backendDefault

    /// How strong the source is.
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
    /// The source in words: `environment variable SESSION_STORAGE_BACKEND`.
    public var description: String {
        switch self {
        case .code: "code"
        case .commandLine(let argument): "command line (\(argument))"
        case .url(let argument): "URL of \(argument)"
        case .environment(let variable): "environment variable \(variable)"
        case .file(let path, let key, let line):
            path + (line.map { ":\($0)" } ?? "") + (key.isEmpty ? "" : " (\(key))")
        case .backendDefault: "default"
        }
    }
}

/// How strong a source is: what a lower level says, a higher one overrides.
public enum SelectionLevel: String, Hashable, Sendable, CaseIterable, Comparable {
    case backendDefault = "default"
    case file
    case environment
    case url
    case commandLine
    case code

    /// From the weakest to the strongest.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A value and who said it.
public struct Stated<Value: Hashable & Sendable>: Hashable, Sendable {
    public var value: Value
    public var source: SelectionSource

    public init(_ value: Value, from source: SelectionSource) {
        self.value = value
        self.source = source
    }
}
