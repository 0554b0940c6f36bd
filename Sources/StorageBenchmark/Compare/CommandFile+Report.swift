import CommandLineSupport

extension CommandFile {
    /// Reads the results in a JSON file.
    static func report(_ path: String) throws(CommandError) -> BenchReport {
        let bytes = try read(path)
        do throws(BenchDocumentError) {
            return try BenchReport(json: bytes)
        } catch {
            throw CommandError(message: "cannot use '\(path)': \(error)")
        }
    }
}
