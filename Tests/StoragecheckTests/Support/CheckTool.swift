import Foundation
import TestSupport

/// The built `storagecheck`, run as people run it.
enum CheckTool {
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws
        -> ProgramOutcome
    {
        try ProgramOutcome(
            of: [BuiltProgram.named("storagecheck").path] + arguments, environment: environment)
    }

    /// An empty folder.
    static func folder() throws -> String {
        let path = "\(URL(filePath: NSTemporaryDirectory()).path)/storagecheck-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
