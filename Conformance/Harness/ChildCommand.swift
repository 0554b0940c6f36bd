import Foundation

/// How to start another process that has the same harness.
///
/// The process must call ``ConformanceChild/run(harness:)``, as `StorageCheckMain` of the product
/// StorageCheck and ``ConformanceCase/check(_:seed:depth:keep:function:)`` do.
public struct ChildCommand: Hashable, Sendable {
    public var executable: String
    public var arguments: [String]
    /// The arguments with which a person has the same program run a case, before `--case` and
    /// `--seed`; `nil` if it has none.
    public var repeating: [String]?

    public init(executable: String, arguments: [String], repeating: [String]? = nil) {
        self.executable = executable
        self.arguments = arguments
        self.repeating = repeating
    }

    /// This program again.
    public static var ownExecutable: String {
        Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    }

    /// The running test program again, with only the test of that name: `#function` within it.
    ///
    /// For a harness of your own whose cases are tests of Swift Testing; others have it already.
    public static func test(named function: String) -> ChildCommand {
        let name = NSRegularExpression.escapedPattern(for: function)
        return ChildCommand(
            executable: ownExecutable,
            arguments: [
                "--testing-library", "swift-testing", "--filter", "[./]\(name)(/|$)",
            ])
    }

    /// A line for a shell that runs the case exactly as it was run.
    func again(_ testCase: ConformanceCase, by runner: CaseRunner) -> String {
        guard let repeating else {
            let order = ChildOrder(
                worker: Worker.wholeCase.name, caseID: testCase.id, harness: runner.harness.label,
                seed: runner.seed, options: runner.childOptions, isAlone: true)
            let value = Self.quoted((try? order.text) ?? "")
            return "\(ChildOrder.environmentName)=\(value) SWIFT_DETERMINISTIC_HASHING=1 "
                + ([executable] + arguments).map(Self.quoted).joined(separator: " ")
        }
        let words =
            [executable] + repeating
            + ["--case", testCase.id, "--seed", "\(runner.seed)"]
            + (runner.depth == .full ? [] : ["--depth", runner.depth.rawValue])
            + (runner.longestTime.map { ["--time-limit", "\($0.components.seconds)"] } ?? [])
            + (runner.keep.map { ["--keep", $0] } ?? [])
        return words.map(Self.quoted).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let plain = CharacterSet(charactersIn: "/.-_:=").union(.alphanumerics)
        if !word.isEmpty, word.unicodeScalars.allSatisfy(plain.contains) { return word }
        return "'\(word.replacingOccurrences(of: "'", with: "'\\''"))'"
    }
}

/// What a child process is to do; travels as JSON in its environment.
struct ChildOrder: Codable, Hashable, Sendable {
    /// The name of a ``Worker``.
    var worker: String
    /// The case that gave the order.
    var caseID: String
    /// The label of the harness with which the case runs.
    var harness: String
    var location = ""
    var seed: UInt64 = 0
    var options: [String: String] = [:]
    /// Whether a person started the process, so that it does not end with its input.
    var isAlone = false

    static let environmentName = "STORAGE_CONFORMANCE_ORDER"

    /// The order of this process; `nil` if it is no child.
    static var ofThisProcess: ChildOrder? {
        ProcessInfo.processInfo.environment[environmentName].flatMap {
            try? JSONDecoder().decode(ChildOrder.self, from: Data($0.utf8))
        }
    }

    /// The value for the environment.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
