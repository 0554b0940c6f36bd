import ArgumentParser
import BrowserSessions
import Foundation

/// What a command has to say and how it ends, apart from saying it, so that tests can look at it.
struct CommandOutcome: Equatable {
    /// For standard output.
    var output = ""
    /// For standard error, a line each.
    var messages: [String] = []
    var status: Int32 = 0

    /// Says it, and ends the command with the status if that is not 0; with 2 if standard output
    /// does not take it all.
    func conclude() throws {
        for message in messages { Self.complain(message) }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(output.utf8))
        } catch {
            Self.complain("storagebench: cannot write the output: \(error.localizedDescription)")
            throw ExitCode(2)
        }
        if status != 0 { throw ExitCode(status) }
    }

    /// Where standard error is gone too, there is nobody left to tell.
    private static func complain(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8))
    }

    /// What could not be done.
    static func impossible(_ message: String) -> CommandOutcome {
        CommandOutcome(messages: ["storagebench: \(message)"], status: 2)
    }
}

/// A file that could not be used, and why.
struct CommandError: Error, Hashable {
    var message: String
}

/// Files that the user named.
enum CommandFile {
    static func report(_ path: String) throws(CommandError) -> BenchReport {
        let bytes = try read(path)
        do throws(BenchDocumentError) {
            return try BenchReport(json: bytes)
        } catch {
            throw CommandError(message: "cannot use '\(path)': \(error)")
        }
    }

    static func read(_ path: String) throws(CommandError) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw CommandError(message: "cannot read '\(path)': \(error.localizedDescription)")
        }
    }

    /// Replaces the file at once, or not at all; a link stays one, and so do the rights of a file
    /// that was there.
    static func write(_ bytes: [UInt8], _ path: String) throws(CommandError) {
        do {
            let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            switch try FileSystem.status(file.path)?.kind {
            case .file: try replace(file.path, with: bytes)
            case nil:
                // With the rights that the user's new files have; the directory it leaves unsynced.
                try Data(bytes).write(to: file, options: .atomic)
                try FileSystem.syncDirectory(FileSystem.parent(of: file.path))
            case .directory: throw CommandError(message: "cannot write '\(path)': it is a folder")
            // Terminals, pipes and /dev/null are written to, never replaced.
            case .other, .link:
                let handle = try FileHandle(forWritingTo: file)
                try handle.write(contentsOf: Data(bytes))
                try handle.close()
            }
        } catch let error as CommandError {
            throw error
        } catch let error as StorageError {
            throw CommandError(message: error.message)
        } catch {
            throw CommandError(message: "cannot write '\(path)': \(error.localizedDescription)")
        }
    }

    /// Gives the new file the rights of the old one before it takes its place.
    private static func replace(_ path: String, with bytes: [UInt8]) throws {
        let temporary = "\(path).storagebench"
        do {
            try FileSystem.replace(temporary, with: bytes)
            let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            try FileManager.default.setAttributes(
                [.posixPermissions: rights ?? 0o644], ofItemAtPath: temporary)
            try FileSystem.move(temporary, to: path)
        } catch {
            try? FileSystem.remove(temporary)
            throw error
        }
        try FileSystem.syncDirectory(FileSystem.parent(of: path))
    }
}
