package import ArgumentParser
import BrowserSessions

extension ParsableCommand {
    /// Prints what ended the program, in the words of ArgumentParser: requested help, or an error in the
    /// command line. Returns the exit code.
    ///
    /// - Parameter impossible: the code for a request that could not be carried out.
    /// - Parameter version: the output of `--version`, if that is more than ``configuration`` knows.
    package static func conclude(
        _ error: any Error, impossible: ExitCode, version: String? = nil
    ) -> Int32 {
        let program = configuration.commandName ?? "\(Self.self)"
        if let error = error.ofOutput {
            error.tell(as: program)
            return impossible.rawValue
        }
        if let code = error as? ExitCode { return code.rawValue }
        let code = exitCode(for: error)
        var text = fullMessage(for: error)
        if let version, message(for: error) == configuration.version { text = version }
        if code == .success {
            do {
                try StandardStream.output.write(text + "\n")
                return code.rawValue
            } catch {
                return conclude(error, impossible: impossible)
            }
        }
        guard code != .failure else {
            Console.message("\(program): \(error)")
            return impossible.rawValue
        }
        Console.messages(
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        return code.rawValue
    }
}

extension Error {
    /// The error of standard output that this error is, or that caused it.
    package var ofOutput: OutputError? {
        self as? OutputError ?? (self as? StorageError)?.underlying as? OutputError
    }
}
