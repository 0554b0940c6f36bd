public import BrowserSessions

/// The top-level keys of a configuration file, in addition to the names of backends.
enum FileKey {
    static let backend = "backend"
    static let location = "location"
    static let options = "options"
    static let all = [backend, location, options]
}

extension SelectionLayer {
    /// Returns the settings of a configuration file.
    ///
    /// The file is JSON or, with the trait `YAML`, YAML; its extension says which. `-` is standard
    /// input, where text that begins with a brace is JSON, and locations are absolute. It has the keys
    /// `backend`, `location` and `options`, and may have a section with the name of any backend. A
    /// section's options count only if that backend is selected. Relative locations are in the
    /// file's directory, `~` is `home`, and `{backend}` in a location becomes the selected
    /// backend's name.
    ///
    /// - Throws: `StorageError.Code.invalidConfiguration` for a missing file, a syntax error, and
    ///   any unknown or duplicate key; `StorageError.Code.permissionDenied` if the file may not be
    ///   read; `StorageError.Code.failed` if the system cannot read it.
    public static func file(_ path: String, registry: BackendRegistry, home: String?)
        throws(StorageError) -> SelectionLayer
    {
        let file = try ConfigurationFile(path: path)
        var layer = SelectionLayer(level: .file)
        for member in file.members {
            let source = SelectionSource.file(path: path, key: member.key, line: member.line)
            switch (member.key, member.value) {
            case (FileKey.backend, .scalar(.text(let name))):
                layer.backend = Stated(name, from: source)
            case (FileKey.location, .scalar(.text(let text))):
                let base = PathBase(directory: directory(of: path), home: home)
                if path == SelectionSource.standardInput { try requireAbsolute(text, source) }
                let location = try LocationTemplate.parse(text, from: source, in: base)
                layer.location = Stated(location, from: source)
            case (FileKey.backend, _), (FileKey.location, _):
                throw .selection(source, "must be text, in quotes")
            case (FileKey.options, .mapping(let members)):
                layer.options = try options(members, of: file, in: member.key)
            case (let name, .mapping(let members)) where registry.names.contains(name):
                layer.sections[name] = OptionSection(
                    source: source, options: try options(members, of: file, in: name))
            case (let name, .scalar) where name == FileKey.options || registry[name] != nil:
                throw .selection(source, "must be a mapping of option names and values")
            case (let name, _): throw unknown(name, source, registry)
            }
        }
        return layer
    }

    private static func options(
        _ members: [ConfigurationFile.Member], of file: ConfigurationFile, in section: String
    ) throws(StorageError) -> [String: Stated<RawOptionValue>] {
        var options: [String: Stated<RawOptionValue>] = [:]
        for member in members {
            let source = SelectionSource.file(
                path: file.path, key: "\(section).\(member.key)", line: member.line)
            guard case .scalar(let value) = member.value else {
                throw .selection(source, "must be a value, not a mapping")
            }
            options[member.key] = Stated(.typed(value), from: source)
        }
        return options
    }

    private static func unknown(
        _ name: String, _ source: SelectionSource, _ registry: BackendRegistry
    ) -> StorageError {
        let known = FileKey.all + registry.names
        let backends = registry.names.compactMap { registry[$0] }
        let isOption = backends.contains { $0.knownOptions.contains { $0.name == name } }
        let advice =
            isOption
            ? "; '\(name)' is an option: put it into '\(FileKey.options)'"
            : NearestName.suggestion(for: name, among: known)
        return .selection(
            source,
            "there is no key '\(name)'\(advice); there is: " + known.joined(separator: ", "))
    }

    /// Standard input has no folder from which a relative path could go on.
    private static func requireAbsolute(_ text: String, _ source: SelectionSource)
        throws(StorageError)
    {
        guard PathText.isAbsolute(text) || text == "~" || text.hasPrefix("~/") else {
            throw .selection(
                source,
                "'\(text)' is relative, and standard input is in no folder: write an absolute path, or one "
                    + "that begins with '~/'")
        }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
