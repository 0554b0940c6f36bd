import Foundation
import Testing

/// The built `storagecheck`, run as people run it.
enum CheckTool {
    struct Outcome {
        var status: Int32
        var output: String
        var messages: String
    }

    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = Process()
        process.executableURL = try executable()
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("SESSION_STORAGE_") }.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try newFile("\(folder)/output")
        process.standardError = try newFile("\(folder)/messages")
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationReason == .exit, "a signal ended \(arguments)")
        return Outcome(
            status: process.terminationStatus,
            output: try String(contentsOfFile: "\(folder)/output", encoding: .utf8),
            messages: try String(contentsOfFile: "\(folder)/messages", encoding: .utf8))
    }

    /// An empty folder.
    static func folder() throws -> String {
        let path = "\(URL(filePath: NSTemporaryDirectory()).path)/storagecheck-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private static func newFile(_ path: String) throws -> FileHandle {
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        return try #require(FileHandle(forWritingAtPath: path))
    }

    private final class Marker {}

    /// Beside the tests, wherever those were built.
    private static func executable() throws -> URL {
        let places = [
            "/proc/self/exe", CommandLine.arguments[0], Bundle(for: Marker.self).bundlePath,
        ]
        for place in places {
            var folder = URL(filePath: place).resolvingSymlinksInPath()
            for _ in 1...4 {
                folder.deleteLastPathComponent()
                let file = folder.appending(path: "storagecheck")
                if FileManager.default.isExecutableFile(atPath: file.path),
                    try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
                {
                    return file
                }
            }
        }
        throw Missing()
    }

    private struct Missing: Error, CustomStringConvertible {
        var description: String { "storagecheck was not built beside the tests" }
    }
}
