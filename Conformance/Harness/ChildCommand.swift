import Foundation

/// How to start another process with the same harness.
///
/// The process must call ``ConformanceChild/run(harness:)``, as `StorageCheckMain` of the product
/// StorageCheck and ``ConformanceCase/check(_:seed:depth:keep:function:)`` do.
public struct ChildCommand: Hashable, Sendable {
    /// The path of the program.
    public var executable: String
    /// The arguments with which the program starts the child, without the program's name.
    public var arguments: [String]
    /// The arguments with which a person runs a case in the same program, placed before `--case`
    /// and `--seed`; `nil` if the program has none.
    public var repeating: [String]?

    /// Creates a command from a program, its arguments, and those with which it repeats a case.
    public init(executable: String, arguments: [String], repeating: [String]? = nil) {
        self.executable = executable
        self.arguments = arguments
        self.repeating = repeating
    }

    /// The path of the running program.
    public static var ownExecutable: String {
        Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    }

    /// Returns a command that reruns this test program with only the named test; pass `#function`.
    ///
    /// Use it for a harness of your own with cases in Swift Testing. Other harnesses don't need it.
    public static func test(named function: String) -> ChildCommand {
        let name = NSRegularExpression.escapedPattern(for: function)
        return ChildCommand(
            executable: ownExecutable,
            arguments: [
                "--testing-library", "swift-testing", "--filter", "[./]\(name)(/|$)",
            ])
    }
}

/// The work of a child process, passed as JSON in its environment.
struct ChildOrder: Codable, Hashable, Sendable {
    /// The name of a ``Worker``.
    var worker: String
    /// The case that gave the order.
    var caseID: String
    /// The label of the harness for the case.
    var harness: String
    var location = ""
    var seed: UInt64 = 0
    var options: [String: String] = [:]
    /// Whether a person started the process, so that it continues when its input ends.
    var isAlone = false

    static let environmentName = "STORAGE_CONFORMANCE_ORDER"

    /// The order for this process; `nil` if this is not a child process.
    static var ofThisProcess: ChildOrder? {
        ProcessInfo.processInfo.environment[environmentName].flatMap {
            try? JSONDecoder().decode(ChildOrder.self, from: Data($0.utf8))
        }
    }

    /// The value of the environment variable.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// The environment of the child, in which sets and dictionaries have the same order in every
    /// process.
    var environment: [String: String] {
        get throws {
            var environment = ProcessInfo.processInfo.environment
            environment[Self.environmentName] = try text
            environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
            // A crash report needs the innermost frames, not registers and images.
            environment["SWIFT_BACKTRACE"] =
                environment["SWIFT_BACKTRACE"]
                ?? "enable=yes,color=no,interactive=no,threads=crashed,registers=none,images=none,limit=12,top=0"
            return environment
        }
    }
}
