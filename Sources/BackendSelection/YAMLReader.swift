#if YAML
    import BrowserSessions

    /// A reader of YAML with JSON's types: only `true` and `false` are Booleans, and `yes` is text.
    ///
    /// It reads events without building a tree, so it refuses unsupported parts where they begin:
    /// nested mappings, and aliases, which let a small file cause any amount of work.
    struct YAMLReader {
        let path: String

        func document(_ text: String) throws(StorageError) -> [ConfigurationFile.Member] {
            // The library compares each tag directive with all previous ones.
            guard !text.utf8.contains(sequence: "%TAG") else {
                throw .selection(.file(path: path), "a tag directive has no meaning here")
            }
            let events = YAMLEvents(text, path: path)
            var event = try events.next()
            while event.kind == .other { event = try events.next() }
            guard event.kind != .end else {
                throw .selection(.file(path: path), "the file is empty")
            }
            guard event.kind == .mapping else {
                throw .selection(
                    .file(path: path, line: event.line), "the file must be a mapping of keys")
            }
            let members = try members(events, MappingBuilder(path: path))
            event = try events.next()
            while event.kind == .other { event = try events.next() }
            guard event.kind == .end else {
                throw .selection(
                    .file(path: path, line: event.documentLine),
                    "not YAML: but found another document")
            }
            return members
        }

        /// Returns the members of the mapping that has begun.
        private func members(_ events: YAMLEvents, _ builder: MappingBuilder)
            throws(StorageError)
            -> [ConfigurationFile.Member]
        {
            var builder = builder
            // waits: until the mapping ends
            while true {
                let keyEvent = try events.next()
                if keyEvent.kind == .mappingEnd { return builder.members }
                guard case .scalar(let key) = keyEvent.kind else {
                    throw builder.error("?", line: keyEvent.line, "a key must be text")
                }
                let line = keyEvent.line
                let value = try value(events, of: key.text, line: line, in: builder)
                try builder.append(.init(key: key.text, line: line, value: value))
            }
        }

        private func value(
            _ events: YAMLEvents, of key: String, line: Int, in builder: MappingBuilder
        ) throws(StorageError) -> ConfigurationFile.Value {
            switch try events.next().kind {
            case .scalar(let scalar):
                return .scalar(try value(scalar, of: key, line: line, in: builder))
            case .mapping where builder.parent.isEmpty:
                let inner = MappingBuilder(path: path, parent: builder.keyPath(key))
                return .mapping(try members(events, inner))
            case .mapping: throw builder.error(key, line: line, "a mapping has no meaning here")
            case .alias: throw builder.error(key, line: line, "an alias has no meaning here")
            case .sequence, .mappingEnd, .end, .other:
                throw builder.error(key, line: line, "a list has no meaning here")
            }
        }

        private func value(
            _ scalar: YAMLEvents.Scalar, of key: String, line: Int, in builder: MappingBuilder
        ) throws(StorageError) -> OptionValue {
            guard !scalar.hasTag else {
                throw builder.error(key, line: line, "a tag has no meaning here")
            }
            guard scalar.isPlain else { return .text(scalar.text) }
            switch scalar.text {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "", "~", "null":
                throw builder.error(key, line: line, "null has no meaning; leave it out")
            case let text where Double(text) != nil && text.first?.isLetter == false:
                return try builder.number(text, key: key, line: line)
            case let text: return .text(text)
            }
        }
    }

    extension String.UTF8View {
        fileprivate func contains(sequence: StaticString) -> Bool {
            let wanted = Array("\(sequence)".utf8)
            guard let first = wanted.first else { return true }
            var rest = self[...]
            while let place = rest.firstIndex(of: first) {
                if rest[place...].starts(with: wanted) { return true }
                rest = rest[rest.index(after: place)...]
            }
            return false
        }
    }
#endif
