import Foundation

/// The check whether two paths lead to the same location, even if they are written differently.
enum SamePlace {
    static func areOne(_ path: String, _ other: String) -> Bool {
        if let place = file(path), let otherPlace = file(other) {
            return place.st_dev == otherPlace.st_dev && place.st_ino == otherPlace.st_ino
        }
        return resolved(path) == resolved(other)
    }

    /// Returns the file at a path; `nil` if nothing is there.
    private static func file(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
