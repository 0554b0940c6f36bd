import BrowserSessions
import Foundation

extension SourceFile {
    /// Returns the profile of a session file if its name and folder fit one; otherwise, the file
    /// itself. Resolves links. A path to nothing stays as it is.
    static func home(of path: String) -> String {
        var parts = resolved(path).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 2, let name = parts.last else { return resolved(path) }
        let folder = parts[parts.count - 2]
        if folder == "sessionstore-backups" || folder == "Sessions" {
            parts.removeLast(2)
        } else if name.hasPrefix("sessionstore.js") || Self.chromiumNames.contains(String(name)) {
            parts.removeLast()
        }
        return parts.joined(separator: "/")
    }

    /// Returns the time at which the browser made the profile, as its own files have it; empty if
    /// unknown. A profile that is moved or copied keeps it.
    static func creation(ofProfile folder: String) -> String {
        let notes = [("times.json", ["created"]), ("Preferences", ["profile", "creation_time"])]
        for (name, members) in notes {
            guard let text = try? read(joined(folder, name), limit: 16 << 20) else { continue }
            let value = members.reduce(JSONParser.parse(text).value) { $0?[$1] }
            if let time = value?.string ?? value?.integer.map({ String($0) }) { return time }
        }
        return ""
    }

    private static let chromiumNames: Set<String> = [
        "Current Session", "Current Tabs", "Last Session", "Last Tabs",
    ]

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return PathText.text(cString: real)
    }
}
