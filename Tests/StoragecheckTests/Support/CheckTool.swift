import Foundation
import TestSupport

/// The built `storagecheck`, run as people run it.
enum CheckTool {
    static func run(_ arguments: [String]) throws -> ProgramOutcome {
        try ProgramOutcome(of: [BuiltProgram.named("storagecheck").path] + arguments)
    }
}
