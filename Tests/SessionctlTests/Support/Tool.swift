import ChildProcesses
import Expectations
import Foundation
import TestSupport
import Testing

/// The built `sessionctl`, run as people run it: a process with arguments and two streams.
enum Tool {
    /// - Parameter launcher: a program with arguments that runs the tool.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], through launcher: [String] = []
    ) throws -> ProgramOutcome {
        try ProgramOutcome(
            of: launcher + [BuiltProgram.named("sessionctl").path] + arguments,
            environment: keysInFiles.merging(environment) { $1 })
    }

    /// The process, which runs on.
    static func start(
        _ arguments: [String], _ environment: [String: String] = [:],
        input: RunningProgram.Stream = .nothing, output: RunningProgram.Stream,
        messages: RunningProgram.Stream
    ) throws -> RunningProgram {
        try RunningProgram(
            [BuiltProgram.named("sessionctl").path] + arguments,
            environment: keysInFiles.merging(environment) { $1 }, input: input, output: output,
            messages: messages)
    }

    /// Leaves no keys in the keyring of the user who runs the tests.
    static let keysInFiles = ["SESSION_STORAGE_OPTION_INCOGNITO_KEYS": "file"]
}

extension ProgramOutcome {
    /// Expects the exit code 0, and no messages if it is to be silent. Returns standard output.
    @discardableResult
    func expectSuccess(isSilent: Bool = false, file: String = #fileID, line: Int = #line)
        -> String
    {
        expect(status, is: 0, "\(output)\(messages)", file: file, line: line)
        expect(!isSilent || messages.isEmpty, "\(messages)", file: file, line: line)
        return output
    }

    /// Expects an exit code, nothing on standard output unless it comes in part, and words in the messages.
    func expectRefusal(
        _ words: String..., status code: Int32 = 2, isPartial: Bool = false,
        file: String = #fileID, line: Int = #line
    ) {
        expect(status, is: code, "\(messages)", file: file, line: line)
        for word in words {
            expect(messages.contains(word), "\(messages)", file: file, line: line)
        }
        expect(isPartial || output.isEmpty, "\(output)", file: file, line: line)
    }

    /// Standard output as JSON, which it must be as a whole, behind an exit code.
    func json(status code: Int32 = 0, file: String = #fileID, line: Int = #line) throws
        -> JSON
    {
        expect(status, is: code, "\(messages)", file: file, line: line)
        return try JSONDecoder().decode(JSON.self, from: Data(output.utf8))
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
