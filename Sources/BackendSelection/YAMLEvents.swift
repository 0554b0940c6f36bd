#if YAML
    import BrowserSessions
    internal import CYaml

    /// The parts of a YAML text in order, from the library in Yams.
    final class YAMLEvents {
        struct Scalar: Equatable {
            var text: String
            /// Whether the scalar has no quotes.
            var isPlain: Bool
            var hasTag: Bool
        }

        enum Kind: Equatable {
            case scalar(Scalar)
            /// The beginning of a mapping or a list.
            case mapping, sequence
            case alias
            case mappingEnd
            /// The end of the text.
            case end
            /// The beginning of the text, and the beginning and the end of a document.
            case other
        }

        struct Event {
            var kind: Kind
            var line: Int
            /// The line where the last document begins.
            var documentLine: Int
        }

        private let path: String
        private let parser: UnsafeMutablePointer<yaml_parser_t>
        private let bytes: UnsafeMutableBufferPointer<UInt8>
        private var documentLine = 1

        init(_ text: String, path: String) {
            self.path = path
            parser = .allocate(capacity: 1)
            parser.initialize(to: yaml_parser_t())
            bytes = .allocate(capacity: text.utf8.count)
            _ = bytes.initialize(from: text.utf8)
            yaml_parser_initialize(parser)
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        }

        deinit {
            yaml_parser_delete(parser)
            parser.deallocate()
            bytes.deallocate()
        }

        func next() throws(StorageError) -> Event {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw syntax() }
            defer { yaml_event_delete(&event) }
            let line = event.start_mark.line + 1
            let kind: Kind =
                switch event.type {
                case YAML_SCALAR_EVENT: .scalar(Self.scalar(event))
                case YAML_MAPPING_START_EVENT: .mapping
                case YAML_SEQUENCE_START_EVENT: .sequence
                case YAML_ALIAS_EVENT: .alias
                case YAML_MAPPING_END_EVENT: .mappingEnd
                case YAML_STREAM_END_EVENT: .end
                default: .other
                }
            if event.type == YAML_DOCUMENT_START_EVENT { documentLine = Int(line) }
            return Event(kind: kind, line: Int(line), documentLine: documentLine)
        }

        private static func scalar(_ event: yaml_event_t) -> Scalar {
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return Scalar(
                text: String(decoding: bytes, as: UTF8.self),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, hasTag: scalar.tag != nil)
        }

        /// Returns an error with the location of the mistake, without the text of the file.
        private func syntax() -> StorageError {
            let problem = parser.pointee.problem.map { String(cString: $0) } ?? "no memory"
            let isOfReader = parser.pointee.error == YAML_READER_ERROR
            let line = Int(parser.pointee.problem_mark.line) + 1
            return .selection(
                isOfReader ? .file(path: path) : .file(path: path, line: line),
                "not YAML: \(problem)")
        }
    }
#endif
