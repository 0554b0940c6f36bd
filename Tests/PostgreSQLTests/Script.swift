#if PostgreSQL
    import Foundation
    import StorageConformance

    /// Runs the project's scripts. Foundation's `Process` takes the end of a server that a script leaves running
    /// for that of the script.
    enum Script {
        /// Blocks until it ends; its exit code, -1 if a signal ended it.
        ///
        /// - Parameter isQuiet: whether nothing of what it prints is shown.
        static func run(_ path: String, _ arguments: [String], isQuiet: Bool = false) throws
            -> Int32
        {
            let nothing = open("/dev/null", O_RDWR)
            defer { close(nothing) }
            let identifier = try ProcessStart(
                program: "/bin/bash", arguments: [path] + arguments,
                environment: ProcessInfo.processInfo.environment,
                descriptors: isQuiet
                    ? [0: nothing, 1: nothing, 2: nothing] : [0: nothing, 1: 1, 2: 2],
                closed: ProcessStart.beyondStandard
            ).run()
            var status: Int32 = 0
            // waits: each turn blocks in waitpid
            while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
            return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
        }
    }
#endif
