import Foundation

/// How to start another process that has the same harness.
///
/// The process must call ``ConformanceChild/run(_:harness:)`` with the order that it finds in its
/// environment; `storagecheck` and ``ConformanceCase/check(_:seed:file:function:)`` do.
public struct ChildCommand: Hashable, Sendable {
    public var executable: String
    public var arguments: [String]

    public init(executable: String, arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    /// This program again.
    public static var ownExecutable: String {
        Bundle.main.executablePath ?? CommandLine.arguments[0]
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

    static let environmentName = "STORAGE_CONFORMANCE_ORDER"

    /// The order of this process; `nil` if it is no child.
    static var ofThisProcess: ChildOrder? {
        ProcessInfo.processInfo.environment[environmentName].flatMap {
            try? JSONDecoder().decode(ChildOrder.self, from: Data($0.utf8))
        }
    }

    /// The value for the environment.
    var text: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
