package import ArgumentParser
import BrowserSessions

extension ParsableCommand {
    /// Says what ended the program, as ArgumentParser words it: help that was asked for, or what is wrong
    /// with the command line. Returns the code with which to end.
    ///
    /// - Parameter impossible: the code for everything that could not be done.
    /// - Parameter version: what `--version` prints, if that is more than ``configuration`` knows.
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
    /// The trouble with standard output that this is, or is because of.
    package var ofOutput: OutputError? {
        self as? OutputError ?? (self as? StorageError)?.underlying as? OutputError
    }
}
