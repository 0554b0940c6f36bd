import Foundation

extension BenchReport {
    /// Reads the output of `--format json` from this or an older version. Ignores unknown keys.
    ///
    /// - Throws: An error with the code `broken` if the text is not JSON, `newerSchema` if its
    ///   schema is above ``currentSchema``, `missingKey` for a required key without a value, and
    ///   `wrongValue` for a value of a wrong type or out of range.
    public init(json bytes: [UInt8]) throws(BenchDocumentError) {
        let data = Data(bytes)
        let schema = try Self.decode(SchemaNumber.self, data).schema
        guard schema <= Self.currentSchema else {
            throw BenchDocumentError(
                .newerSchema, at: "schema",
                "this is \(schema), and this storagebench reads up to \(Self.currentSchema); "
                    + "use the storagebench that wrote the file, or a newer one")
        }
        guard schema >= 1 else {
            throw BenchDocumentError(
                .wrongValue, at: "schema",
                "there is no schema \(schema); \(BenchDocumentError.whatToDo)")
        }
        self = try Self.decode(BenchReport.self, data)
        for (index, result) in results.enumerated() {
            try result.check(at: "results[\(index)]")
        }
    }

    private struct SchemaNumber: Decodable { var schema: Int }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ data: Data
    ) throws(BenchDocumentError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw BenchDocumentError(error)
        } catch {
            throw BenchDocumentError(
                .broken, "this is not JSON, or it is cut off; \(BenchDocumentError.whatToDo)")
        }
    }

    func json() throws(BenchDocumentError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        } catch EncodingError.invalidValue(let value, let context) {
            throw BenchDocumentError(
                .wrongValue, at: BenchDocumentError.path(context.codingPath),
                "\(value) cannot be written in JSON; leave this row out")
        } catch {
            throw BenchDocumentError(.wrongValue, "cannot be written as JSON: \(error)")
        }
    }
}

extension BenchResult {
    /// Throws if a value has the right type but is invalid.
    fileprivate func check(at path: String) throws(BenchDocumentError) {
        try Self.check(interval95, at: "\(path).interval95")
        if let ratioInterval95 {
            try Self.check(ratioInterval95, at: "\(path).ratioInterval95")
        }
        let counts = [
            ("tabs", tabs), ("stateBytes", stateBytes), ("samples", samples),
            ("bytesWritten", bytesWritten),
        ]
        for (key, value) in counts where value < 0 {
            throw BenchDocumentError(
                .wrongValue, at: "\(path).\(key)",
                "this is below zero; \(BenchDocumentError.whatToDo)")
        }
    }

    private static func check(_ interval: [Double], at path: String) throws(BenchDocumentError) {
        guard interval.count == 2, interval[0] <= interval[1] else {
            throw BenchDocumentError(
                .wrongValue, at: path,
                "an interval is its lower and its upper end; \(BenchDocumentError.whatToDo)")
        }
    }
}
