import BrowserSessions
import Foundation

extension SourceFile {
    /// Returns the path without links of what a source is noted by: its profile if its name and
    /// folder fit one, otherwise itself. A path to nothing stays as it is.
    static func home(of path: String, _ format: SessionFormat) -> String {
        let path = resolved(path)
        return format.reader.profile(of: path) ?? path
    }

    /// Returns a member of a JSON file as text; empty if it cannot be read.
    static func member(_ names: [String], ofFile path: String) -> String {
        let root = (try? read(path, limit: 16 << 20)).flatMap { JSONParser.parse($0).value }
        let value = names.reduce(root) { $0?[$1] }
        return value?.string ?? value?.integer.map { String($0) } ?? ""
    }

    /// Returns whether two paths lead to the same file or folder, even if they are written differently.
    static func areSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        guard stat(path, &one) == 0, stat(other, &two) == 0 else { return path == other }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return PathText.text(cString: real)
    }
}
