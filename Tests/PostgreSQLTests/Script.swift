#if PostgreSQL
    import ChildProcesses
    import StorageConformance
    import TestSupport

    /// Runs the project's scripts.
    enum Script {
        /// Blocks until it ends; its exit code, -1 if a signal ended it.
        ///
        /// - Parameter isQuiet: whether nothing of what it prints is shown.
        static func run(_ path: String, _ arguments: [String], isQuiet: Bool = false) throws
            -> Int32
        {
            let stream: RunningProgram.Stream = isQuiet ? .nothing : .inherited
            let program = try RunningProgram(
                ["/bin/bash", path] + arguments, output: stream, messages: stream)
            return program.end().status ?? -1
        }
    }
#endif
