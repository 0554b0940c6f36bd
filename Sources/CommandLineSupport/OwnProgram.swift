import BrowserSessions
import Foundation

/// The running program, whether it was started by a path, by its name through `PATH`, or by a link.
package enum OwnProgram {
    /// The path of the program's file, for running it again.
    package static var path: String {
        #if os(Linux)
            let own = "/proc/self/exe"
            let resolved = URL(filePath: own).resolvingSymlinksInPath().path
            if resolved != own { return resolved }
        #endif
        return Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    }

    /// Returns the arguments that follow the program name on the command line.
    ///
    /// Throws if they cannot be read, which differs from having none, because the name is always
    /// there. The system keeps them in `/proc`, which may be missing in a container or a jail.
    package static func words() throws(CommandError) -> [String] {
        try words(of: texts(of: line))
    }

    package static func words(of line: [String]) throws(CommandError) -> [String] {
        guard !line.isEmpty else {
            throw CommandError(
                message:
                    "the program cannot read its own arguments, so nothing was done; is /proc there?"
            )
        }
        return Array(line.dropFirst())
    }

    /// Decodes arguments. Throws if one is not UTF-8, because a repaired argument would name another file.
    package static func texts(of line: [[UInt8]]) throws(CommandError) -> [String] {
        var texts: [String] = []
        for (number, word) in line.enumerated() {
            // The program name itself may be anything.
            guard let text = String(validating: word, as: UTF8.self) ?? (number == 0 ? "" : nil)
            else {
                throw CommandError(
                    message: """
                        argument \(number), '\(PathText.text(word))', is not UTF-8, so nothing was done; a \
                        file of such a name must get another one, or be reached by a link
                        """)
            }
            texts.append(text)
        }
        return texts
    }

    /// The command line as the system keeps it. `CommandLine.arguments` is a repaired copy.
    private static var line: [[UInt8]] {
        (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.map { word in
            (0..<strlen(word)).map { UInt8(bitPattern: word[$0]) }
        }
    }
}

// MARK: - Environment

extension OwnProgram {
    /// The environment. Values that are not UTF-8, such as a value of `HOME`, become texts of
    /// `PathText`.
    package static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        for (name, value) in environment where value.unicodeScalars.contains("\u{FFFD}") {
            if let own = getenv(name) { environment[name] = text(own) }
        }
        return environment
    }

    /// The directory where relative paths start, as a text of `PathText`.
    package static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return FileManager.default.currentDirectoryPath }
        defer { free(path) }
        return text(path)
    }

    /// Throws if the path of the working directory or of the temporary directory is not UTF-8. Use
    /// it in programs that open files in ways that require UTF-8 paths.
    package static func requireTextualPlaces() throws(CommandError) {
        let places = [workingDirectory, environment["TMPDIR"] ?? ""]
        for place in places where PathText.bytes(place) != Array(place.utf8) {
            throw CommandError(
                message: "the path '\(place)' is not UTF-8, so nothing was done; work elsewhere")
        }
    }

    private static func text(_ path: UnsafePointer<CChar>) -> String {
        String(validatingCString: path) ?? PathText.text(cString: path)
    }
}

extension CommandError: CustomStringConvertible {
    package var description: String { message }
}
