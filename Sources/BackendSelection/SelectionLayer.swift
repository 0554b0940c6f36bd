public import BrowserSessions

/// What one source says about the store to use. Everything in it may be absent.
public struct SelectionLayer: Hashable, Sendable {
    /// How strong the layer is. Of two layers of one level, the one that is given first wins.
    public var level: SelectionLevel
    public var backend: Stated<String>?
    public var location: Stated<LocationTemplate>?
    /// Values by option name, for whatever backend is chosen in the end.
    public var options: [String: Stated<RawOptionValue>]
    /// Options by backend name that only count if that backend is chosen.
    public var sections: [String: OptionSection]
    /// The configuration file that the layer was read from, named by its strongest source first.
    public var files: [Stated<String>]

    public init(
        level: SelectionLevel,
        backend: Stated<String>? = nil,
        location: Stated<LocationTemplate>? = nil,
        options: [String: Stated<RawOptionValue>] = [:],
        sections: [String: OptionSection] = [:],
        files: [Stated<String>] = []
    ) {
        self.level = level
        self.backend = backend
        self.location = location
        self.options = options
        self.sections = sections
        self.files = files
    }

    /// What the program itself says. The location is taken as it is.
    public static func code(
        backend: String? = nil, location: String? = nil, options: [String: OptionValue] = [:]
    ) -> SelectionLayer {
        SelectionLayer(
            level: .code,
            backend: backend.map { Stated($0, from: .code) },
            location: location.map { Stated(LocationTemplate(literal: $0), from: .code) },
            options: options.mapValues { Stated(.typed($0), from: .code) })
    }

    /// The options of one backend in a configuration file.
    public struct OptionSection: Hashable, Sendable {
        public var source: SelectionSource
        public var options: [String: Stated<RawOptionValue>]

        public init(source: SelectionSource, options: [String: Stated<RawOptionValue>]) {
            self.source = source
            self.options = options
        }
    }
}

/// The value of an option before it is read as the option's kind.
public enum RawOptionValue: Hashable, Sendable {
    /// From a source that tells kinds apart: code or a file.
    case typed(OptionValue)
    /// From a source that has only text: a URL, a variable or an argument.
    case text(String)
}

extension RawOptionValue: CustomStringConvertible, CustomReflectable {
    /// Always dots: before the option is known, any value may be a secret.
    public var description: String { Redaction.dots }

    /// Without the value, so that no dump shows it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
