import Foundation
import TestSupport
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
        process.executableURL = try BuiltProgram.named("storagecheck")
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
}
