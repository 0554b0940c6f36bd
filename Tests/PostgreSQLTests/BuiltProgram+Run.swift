#if PostgreSQL
    import Foundation
    import TestSupport

    extension BuiltProgram {
        /// Runs a program of this package with an empty folder for what is temporary.
        ///
        /// - Returns: what it ended with, and all that it printed.
        static func run(_ program: String, _ arguments: [String]) throws -> (Int32, String) {
            let folder = TemporaryFolder()
            let process = Process()
            process.executableURL = try named(program)
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment
                .merging(["TMPDIR": folder.path]) { $1 }
            process.standardInput = FileHandle.nullDevice
            let file = folder.file("output")
            _ = FileManager.default.createFile(atPath: file, contents: nil)
            let output = FileHandle(forWritingAtPath: file)
            process.standardOutput = output
            process.standardError = output
            try process.run()
            process.waitUntilExit()
            let text = try String(contentsOfFile: file, encoding: .utf8)
            return (process.terminationStatus, text)
        }
    }
#endif
