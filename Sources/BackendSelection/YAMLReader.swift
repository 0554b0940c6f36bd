#if YAML
    import BrowserSessions
    import Yams

    /// Reads YAML with the kinds of JSON: only `true` and `false` are Booleans, `yes` is text.
    struct YAMLReader {
        let path: String

        func document(_ text: String) throws(StorageError) -> [ConfigurationFile.Member] {
            let root: Node?
            do {
                root = try Yams.compose(yaml: text, .default, .default, .utf8)
            } catch {
                throw syntax(error)
            }
            guard let root else { throw .selection(.file(path: path), "the file is empty") }
            guard case .mapping(let mapping) = root else {
                throw .selection(
                    .file(path: path, line: root.mark?.line), "the file must be a mapping of keys")
            }
            return try members(mapping, MappingBuilder(path: path))
        }

        private func members(_ mapping: Node.Mapping, _ builder: MappingBuilder)
            throws(StorageError)
            -> [ConfigurationFile.Member]
        {
            var builder = builder
            for (keyNode, node) in mapping {
                guard case .scalar(let scalar) = keyNode else {
                    throw builder.error("?", line: keyNode.mark?.line, "a key must be text")
                }
                let (key, line) = (scalar.string, scalar.mark?.line)
                let value = try value(node, of: key, line: line, in: builder)
                try builder.append(.init(key: key, line: line, value: value))
            }
            return builder.members
        }

        private func value(_ node: Node, of key: String, line: Int?, in builder: MappingBuilder)
            throws(StorageError) -> ConfigurationFile.Value
        {
            switch node {
            case .scalar(let scalar):
                return .scalar(try value(scalar, of: key, line: line, in: builder))
            case .mapping(let mapping) where builder.parent.isEmpty:
                let inner = MappingBuilder(path: path, parent: builder.keyPath(key))
                return .mapping(try members(mapping, inner))
            case .mapping: throw builder.error(key, line: line, "a mapping has no meaning here")
            case .sequence: throw builder.error(key, line: line, "a list has no meaning here")
            case .alias: throw builder.error(key, line: line, "an alias has no meaning here")
            }
        }

        private func value(
            _ scalar: Node.Scalar, of key: String, line: Int?, in builder: MappingBuilder
        ) throws(StorageError) -> OptionValue {
            let isPlain = scalar.style == .plain
            let untagged: Tag.Name = isPlain ? .implicit : .str
            guard scalar.tag.description == untagged.rawValue else {
                throw builder.error(key, line: line, "a tag has no meaning here")
            }
            guard isPlain else { return .text(scalar.string) }
            switch scalar.string {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "", "~", "null":
                throw builder.error(key, line: line, "null has no meaning; leave it out")
            case let text where Double(text) != nil && text.first?.isLetter == false:
                return try builder.number(text, key: key, line: line)
            case let text: return .text(text)
            }
        }

        /// Tells where the mistake is; Yams' own descriptions repeat the text of the file.
        private func syntax(_ error: any Error) -> StorageError {
            switch error as? YamlError {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                .selection(.file(path: path, line: mark.line), "not YAML: \(problem)")
            case .duplicatedKeysInMapping(let keys, let context):
                .selection(
                    .file(path: path, key: keys.first ?? "", line: context.mark.line),
                    "the key is there twice")
            case .reader(let problem, _, _, _):
                .selection(.file(path: path), "not YAML: \(problem)")
            default: .selection(.file(path: path), "not YAML")
            }
        }
    }
#endif
