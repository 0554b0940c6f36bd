public import BrowserSessions

/// The settings of one source for the store to use. Each may be absent.
public struct SelectionLayer: Hashable, Sendable {
    /// The level of the layer. Of two layers with the same level, the first one given wins.
    public var level: SelectionLevel
    /// The name of the backend; `nil` if the source names none. ``BackendSelector/resolve()``
    /// checks whether it exists.
    public var backend: Stated<String>?
    /// The location of the store; `nil` if the source names none.
    public var location: Stated<LocationTemplate>?
    /// The values by option name, for the backend that is finally selected.
    public var options: [String: Stated<RawOptionValue>]
    /// Options by backend name that count only if that backend is selected.
    public var sections: [String: OptionSection]
    /// The configuration files that sources name, strongest first. The first was read.
    public var files: [Stated<String>]

    /// Creates a layer; by default, one that states nothing.
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

    /// Returns a layer with the program's own settings. The location is used as is.
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
        /// The place of the section in its configuration file.
        public var source: SelectionSource
        /// The values by option name.
        public var options: [String: Stated<RawOptionValue>]

        /// Creates a section from the values of its options.
        public init(source: SelectionSource, options: [String: Stated<RawOptionValue>]) {
            self.source = source
            self.options = options
        }
    }
}

/// The value of an option before it is read as the option's kind.
public enum RawOptionValue: Hashable, Sendable {
    /// A value from a source with types: code or a file.
    case typed(OptionValue)
    /// A value from a source with text only: a URL, a variable or an argument.
    case text(String)
}

extension RawOptionValue: CustomStringConvertible, CustomReflectable {
    /// Always dots, because any value may be a secret before the option is known.
    public var description: String { Redaction.dots }

    /// A mirror without the value, so that no dump shows it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
