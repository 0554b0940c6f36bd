public import BrowserSessions

/// The arguments and the environment with which a command-line tool selects a store.
public struct SelectionRequest: Sendable {
    /// The store argument without an option name. It is a URL, or the path of an existing store,
    /// from which the backend is detected.
    public var store: String?
    /// The name of that argument on the command line, for messages.
    public var storeArgument = "STORE"
    /// The URL after `--storage`.
    public var storage: String?
    /// The path after `--config`. `-` is standard input, which is read by each call of
    /// ``layers(registry:)`` and ``resolve(registry:code:)``.
    public var configurationFile: String?
    /// The text after each `--option`, such as `durability=powerLoss`.
    public var options: [String]
    /// The environment of the process. Only `HOME` and `SESSION_STORAGE_*` are used.
    public var environment: [String: String]
    /// The base directory of relative paths, except those in a file.
    public var workingDirectory: String
    /// Whether the store in ``workingDirectory`` is selected where no source names a backend or a
    /// location; `false` by default.
    public var usesWorkingDirectory = false

    /// Creates a request; by default, one in which only the environment can name a store.
    ///
    /// Nothing is read or checked before ``layers(registry:)``.
    public init(
        store: String? = nil,
        storage: String? = nil,
        configurationFile: String? = nil,
        options: [String] = [],
        environment: [String: String],
        workingDirectory: String
    ) {
        self.store = store
        self.storage = storage
        self.configurationFile = configurationFile
        self.options = options
        self.environment = environment
        self.workingDirectory = workingDirectory
    }

    /// Returns the settings of the arguments, the environment and the configuration file.
    ///
    /// `--config` overrides `SESSION_STORAGE_CONFIG`; the other file is then not read.
    ///
    /// - Throws: `StorageError.Code.invalidConfiguration` if a text cannot be read, if an option is
    ///   there twice, or if both ``store`` and ``storage`` name a store. What reading the
    ///   configuration file throws, and what `StorageBackend.hasStore(at:)` throws.
    public func layers(registry: BackendRegistry) throws(StorageError) -> [SelectionLayer] {
        var layers = [try commandLine()]
        let home = environment["HOME"]
        if let store {
            guard storage == nil else {
                throw .selection(
                    .commandLine(argument: storeArgument),
                    "--storage names a store, too; write one of them")
            }
            layers.append(try layer(of: store, registry: registry))
        }
        if let storage {
            layers.append(
                try .url(
                    storage, from: .url(argument: "--storage"), directory: workingDirectory,
                    home: home))
        }
        layers += try SelectionLayer.environment(
            environment, registry: registry, directory: workingDirectory)
        let files = try configurationFiles()
        if let file = files.first {
            do {
                var layer = try SelectionLayer.file(file.value, registry: registry, home: home)
                layer.files = files
                layers.append(layer)
            } catch {
                throw error.naming(file.source)
            }
        }
        return layers
    }

    /// Selects a store, optionally with a ``SelectionLayer/code(backend:location:options:)`` layer.
    ///
    /// - Throws: `StorageError.Code.notFound` if ``store`` is a path at which no backend recognizes
    ///   a store, and no other source names a backend; `StorageError.Code.invalidConfiguration` if
    ///   ``usesWorkingDirectory`` is needed and no store is there. What ``layers(registry:)`` and
    ///   ``BackendSelector/resolve()`` throw.
    public func resolve(registry: BackendRegistry, code: SelectionLayer? = nil)
        throws(StorageError) -> ResolvedSelection
    {
        var layers = (code.map { [$0] } ?? []) + (try layers(registry: registry))
        if usesWorkingDirectory, layers.allSatisfy({ $0.backend == nil && $0.location == nil }) {
            layers.append(try layerOfWorkingDirectory(registry))
        }
        if let store, !layers.contains(where: { $0.backend != nil }) {
            throw unknownStore(store, registry)
        }
        return try BackendSelector(registry: registry, layers: layers).resolve()
    }

    /// Returns a layer for the store argument. A URL names the backend. The contents at a path show
    /// it; if they do not, another source must name it.
    private func layer(of store: String, registry: BackendRegistry) throws(StorageError)
        -> SelectionLayer
    {
        let source = SelectionSource.commandLine(argument: storeArgument)
        let scheme = store.prefix { $0 != ":" }
        if store.contains("://") || registry.names.contains(String(scheme)), scheme != store {
            return try .url(
                store, from: .url(argument: storeArgument), directory: workingDirectory,
                home: environment["HOME"])
        }
        try PathBase.check(store, from: source)
        let path = try PathBase(directory: workingDirectory, home: environment["HOME"])
            .resolve(store, from: source)
        var layer = SelectionLayer(level: .commandLine)
        layer.location = Stated(LocationTemplate(literal: path), from: source)
        if let backend = try registry.backend(ofStoreAt: path) {
            layer.backend = Stated(backend.name, from: source)
        }
        return layer
    }

    private func layerOfWorkingDirectory(_ registry: BackendRegistry) throws(StorageError)
        -> SelectionLayer
    {
        guard let backend = try registry.backend(ofStoreAt: workingDirectory) else {
            throw StorageError(
                .invalidConfiguration,
                "no store is named, and the current folder '\(workingDirectory)' is none: write the path "
                    + "of one, or --storage BACKEND:///path, where BACKEND is one of "
                    + registry.list,
                operation: "select")
        }
        let source = SelectionSource.commandLine(argument: "the current folder")
        return SelectionLayer(
            level: .commandLine, backend: Stated(backend.name, from: source),
            location: Stated(LocationTemplate(literal: workingDirectory), from: source))
    }

    private func unknownStore(_ store: String, _ registry: BackendRegistry) -> StorageError {
        StorageError(
            .notFound,
            "there is no store at '\(store)' that a backend of this program knows; if there is one, or "
                + "one is to be made, say its backend: --storage BACKEND:\(store), where BACKEND is one of "
                + registry.list,
            operation: "select")
    }

    private func commandLine() throws(StorageError) -> SelectionLayer {
        var layer = SelectionLayer(level: .commandLine)
        for text in options {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                throw .selection(
                    .commandLine(argument: "--option"), "write --option NAME=VALUE")
            }
            let name = String(text[..<sign])
            let source = SelectionSource.commandLine(argument: "--option \(name)")
            let value = String(text[text.index(after: sign)...])
            guard layer.options.updateValue(Stated(.text(value), from: source), forKey: name) == nil
            else { throw .selection(source, "the option is there twice") }
        }
        return layer
    }

    /// Returns the named configuration files. Only the first one is read.
    private func configurationFiles() throws(StorageError) -> [Stated<String>] {
        let variable = EnvironmentKey.configuration
        let named: [Stated<String>?] = [
            configurationFile.map { Stated($0, from: .commandLine(argument: "--config")) },
            environment[variable].map { Stated($0, from: .environment(variable: variable)) },
        ]
        let base = PathBase(directory: workingDirectory, home: environment["HOME"])
        var files: [Stated<String>] = []
        for file in named.compactMap({ $0 }) {
            try PathBase.check(file.value, from: file.source)
            let isInput =
                file.value == SelectionSource.standardInput && file.source.level == .commandLine
            let path = isInput ? file.value : try base.resolve(file.value, from: file.source)
            files.append(Stated(path, from: file.source))
        }
        return files
    }
}

extension StorageError {
    /// Returns the same error, with the source that named the file.
    fileprivate func naming(_ source: SelectionSource) -> StorageError {
        var error = self
        error.message += "; the file was named by \(source)"
        return error
    }
}
