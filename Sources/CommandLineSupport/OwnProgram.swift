import Foundation

/// The program that is running, however it was started: by a path, by its name through `PATH`, by a link.
package enum OwnProgram {
    /// The path of its file, by which it can be started again.
    package static var path: String {
        #if os(Linux)
            let own = "/proc/self/exe"
            let resolved = URL(filePath: own).resolvingSymlinksInPath().path
            if resolved != own { return resolved }
        #endif
        return Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    }

    /// The words behind its name on the command line.
    ///
    /// Throws if they cannot be read, which is not the same as that there are none: the name itself is always
    /// there. The system keeps them in `/proc`, which may not be there in a container or a jail.
    package static func words(of line: [String] = CommandLine.arguments) throws(CommandError)
        -> [String]
    {
        guard !line.isEmpty else {
            throw CommandError(
                message:
                    "the program cannot read its own arguments, so nothing was done; is /proc there?"
            )
        }
        return Array(line.dropFirst())
    }
}

extension CommandError: CustomStringConvertible {
    package var description: String { message }
}
