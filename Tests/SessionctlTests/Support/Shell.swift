import Foundation
import TestSupport

/// A line of the shell in which `$SESSIONCTL` and the other programs are the built ones.
enum Shell {
    static func run(_ line: String, _ environment: [String: String] = [:]) throws
        -> ProgramOutcome
    {
        var environment = Tool.keysInFiles.merging(environment) { $1 }
        for name in ["sessionctl", "demobrowser", "storagebench", "storagecheck"] {
            environment[name.uppercased()] = try BuiltProgram.named(name).path
        }
        return try ProgramOutcome(of: ["/bin/sh", "-c", line], environment: environment)
    }
}
