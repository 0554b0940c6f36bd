import Foundation

/// Whether two paths lead to one place, however they are written.
enum SamePlace {
    static func areOne(_ path: String, _ other: String) -> Bool {
        if let place = file(path), let otherPlace = file(other) {
            return place.st_dev == otherPlace.st_dev && place.st_ino == otherPlace.st_ino
        }
        return resolved(path) == resolved(other)
    }

    /// `nil` if nothing is there.
    private static func file(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}
