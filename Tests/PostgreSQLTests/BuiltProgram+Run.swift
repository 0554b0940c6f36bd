#if PostgreSQL
    import Foundation
    import TestSupport

    extension BuiltProgram {
        /// Runs a program of this package with an empty folder for what is temporary.
        ///
        /// - Returns: what it ended with, and all that it printed.
        static func run(_ program: String, _ arguments: [String]) throws -> (Int32, String) {
            let folder = TemporaryFolder()
            let outcome = try ProgramOutcome(
                of: [named(program).path] + arguments, environment: ["TMPDIR": folder.path])
            return (outcome.status, outcome.output + outcome.messages)
        }
    }
#endif
