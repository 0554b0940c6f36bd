public import Foundation

/// A program of this package, as it was built for the tests.
public enum BuiltProgram {
    private final class Marker {}

    /// Beside the tests, wherever those were built. Throws if it is not there.
    public static func named(_ name: String) throws -> URL {
        let places = [
            "/proc/self/exe", CommandLine.arguments[0], Bundle(for: Marker.self).bundlePath,
        ]
        for place in places {
            var folder = URL(filePath: place).resolvingSymlinksInPath()
            for _ in 1...4 {
                folder.deleteLastPathComponent()
                let file = folder.appending(path: name)
                if FileManager.default.isExecutableFile(atPath: file.path),
                    try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
                {
                    return file
                }
            }
        }
        throw Missing(name: name)
    }

    private struct Missing: Error, CustomStringConvertible {
        var name: String
        var description: String { "\(name) was not built beside the tests" }
    }
}
