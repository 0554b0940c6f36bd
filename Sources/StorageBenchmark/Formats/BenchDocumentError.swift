/// The reason that a document of a run could not be read or written.
///
/// It names the location inside the document, but no file, because the caller knows the file.
public struct BenchDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public enum Code: String, Hashable, Sendable {
        /// The document is not JSON or is truncated.
        case broken
        /// A newer version of the benchmark wrote the document.
        case newerSchema
        /// A key is missing.
        case missingKey
        /// A key has an invalid value.
        case wrongValue
    }

    /// The kind of problem.
    public var code: Code
    /// The location, such as `results[3].microseconds.p50`; empty for the whole document.
    public var path: String
    /// A sentence about what is wrong and what to do.
    public var message: String

    /// Creates an error, by default about the whole document.
    public init(_ code: Code, at path: String = "", _ message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

extension BenchDocumentError {
    static let whatToDo = "write the results again with 'storagebench --format json'"

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(
                .missingKey, at: Self.path(context.codingPath + [key]),
                "this key is missing; \(Self.whatToDo)")
        case .valueNotFound(_, let context):
            self.init(
                .missingKey, at: Self.path(context.codingPath),
                "this key has no value; \(Self.whatToDo)")
        case .typeMismatch(_, let context):
            self.init(
                .wrongValue, at: Self.path(context.codingPath),
                "this has a value of another type than expected; \(Self.whatToDo)")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(
                .wrongValue, at: Self.path(context.codingPath),
                "this value is unknown or out of range; \(Self.whatToDo)")
        default:
            self.init(.broken, "this is not JSON, or it is cut off; \(Self.whatToDo)")
        }
    }

    static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
