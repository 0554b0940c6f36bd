public import BrowserSessions

/// The environment variables that select a store.
enum EnvironmentKey {
    static let prefix = "SESSION_STORAGE_"
    static let backend = prefix + "BACKEND"
    static let location = prefix + "LOCATION"
    static let url = prefix + "URL"
    static let configuration = prefix + "CONFIG"
    /// The prefix before an option's name: `SESSION_STORAGE_OPTION_MAXIMUM_STATE_BYTES`.
    static let option = prefix + "OPTION_"
    static let all = [backend, location, url, configuration]
}

extension SelectionLayer {
    /// Returns the settings of the `SESSION_STORAGE_*` variables. Single variables override the
    /// URL.
    ///
    /// The layer is empty if there are no such variables. ``SelectionRequest`` reads
    /// `SESSION_STORAGE_CONFIG`.
    ///
    /// - Throws: `StorageError.Code.invalidConfiguration` for an unknown or empty variable with the
    ///   prefix, and for a location or a URL that cannot be read.
    public static func environment(
        _ environment: [String: String], registry: BackendRegistry, directory: String
    ) throws(StorageError) -> [SelectionLayer] {
        let base = PathBase(directory: directory, home: environment["HOME"])
        var layer = SelectionLayer(level: .environment)
        var layers: [SelectionLayer] = []
        let names = optionNames(in: registry)
        for (variable, value) in environment.sorted(by: { $0.key < $1.key })
        where variable.hasPrefix(EnvironmentKey.prefix) {
            let source = SelectionSource.environment(variable: variable)
            if let option = names[variable] {
                layer.options[option] = Stated(.text(value), from: source)
                continue
            }
            if EnvironmentKey.all.contains(variable), value.isEmpty {
                throw .selection(source, "the variable is empty; unset it")
            }
            switch variable {
            case EnvironmentKey.backend: layer.backend = Stated(value, from: source)
            case EnvironmentKey.location:
                let location = try LocationTemplate.parse(value, from: source, in: base)
                layer.location = Stated(location, from: source)
            case EnvironmentKey.url:
                layers.append(
                    try .url(value, from: source, directory: directory, home: base.home))
            case EnvironmentKey.configuration: continue
            default: throw unknown(source, variable, options: names.keys.sorted())
            }
        }
        return [layer] + layers
    }

    /// Returns the options of all backends by environment variable.
    private static func optionNames(in registry: BackendRegistry) -> [String: String] {
        var names: [String: String] = [:]
        for option in registry.names.compactMap({ registry[$0] }).flatMap(\.knownOptions) {
            names[option.variable] = option.name
        }
        return names
    }

    private static func unknown(_ source: SelectionSource, _ variable: String, options: [String])
        -> StorageError
    {
        let known = EnvironmentKey.all + options
        return .selection(
            source,
            "no variable of that name is known"
                + NearestName.suggestion(for: variable, among: known)
                + "; known are: " + known.joined(separator: ", "))
    }
}
