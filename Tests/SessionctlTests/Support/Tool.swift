import Foundation
import TestSupport
import Testing

/// The built `sessionctl`, run as people run it: a process with arguments and two streams.
enum Tool {
    struct Outcome {
        var status: Int32
        var output: String
        var messages: String

        /// Standard output as JSON, which it must be as a whole.
        func json() throws -> JSON {
            try JSONDecoder().decode(JSON.self, from: Data(output.utf8))
        }
    }

    /// - Parameter launcher: a program with arguments that runs the tool.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], through launcher: [String] = []
    ) throws -> Outcome {
        let workspace = try Workspace()
        let process = try process(arguments, environment)
        if let program = launcher.first, let tool = process.executableURL {
            process.executableURL = URL(filePath: program)
            process.arguments = launcher.dropFirst() + [tool.path] + arguments
        }
        process.standardOutput = try workspace.newFile("output")
        process.standardError = try workspace.newFile("messages")
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationReason == .exit, "a signal ended \(arguments)")
        return Outcome(
            status: process.terminationStatus, output: try workspace.text("output"),
            messages: try workspace.text("messages"))
    }

    /// The process before it runs; without the settings of whoever runs the tests, and without
    /// leaving keys in their keyring.
    static func process(_ arguments: [String], _ environment: [String: String] = [:]) throws
        -> Process
    {
        let process = Process()
        process.executableURL = try BuiltProgram.named("sessionctl")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("SESSION_STORAGE_") }
            .merging(["SESSION_STORAGE_OPTION_INCOGNITO_KEYS": "file"]) { $1 }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }
}

/// Any JSON, to look into.
enum JSON: Decodable, Equatable {
    case object([String: JSON])
    case array([JSON])
    case text(String)
    case number(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSON].self))
        }
    }

    subscript(key: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members[key] ?? .null
    }

    var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var integer: Int? {
        if case .number(let number) = self { Int(exactly: number) } else { nil }
    }
}
