import Foundation
import TestSupport
import Testing

/// A line of the shell in which `$SESSIONCTL` and the other programs are the built ones.
enum Shell {
    static func run(_ line: String, _ environment: [String: String] = [:]) throws -> Tool.Outcome {
        let workspace = try Workspace()
        let process = try Tool.process([], environment)
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        for name in ["sessionctl", "demobrowser", "storagebench", "storagecheck"] {
            process.environment?[name.uppercased()] = try BuiltProgram.named(name).path
        }
        process.standardOutput = try workspace.newFile("output")
        process.standardError = try workspace.newFile("messages")
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationReason == .exit, "a signal ended \(line)")
        return Tool.Outcome(
            status: process.terminationStatus, output: try workspace.text("output"),
            messages: try workspace.text("messages"))
    }
}
