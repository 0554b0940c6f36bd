import Foundation
import TestSupport

/// How often the browser is killed over each backend, and the seed that all else is made from. A
/// failure names the environment that repeats it.
struct KillPlan {
    static let backends = ["directory", "sqlite", "leveldb"]

    private(set) var seed: UInt64 = 5
    private(set) var kills = TestRun.amount(10, nightly: 100)
    /// The one backend that is asked for; `nil` for all.
    private(set) var backend: String?

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        if let text = environment["KILL_SEED"] { seed = try Self.number("KILL_SEED", text) }
        if let text = environment["KILLS"] { kills = try Self.number("KILLS", text) }
        backend = environment["KILL_BACKEND"]
        guard backend.map(Self.backends.contains) ?? true else {
            throw Failure("KILL_BACKEND takes one of \(Self.backends.joined(separator: ", "))")
        }
    }

    private static func number<Number: FixedWidthInteger>(
        _ name: String, _ text: String
    ) throws -> Number {
        guard let number = Number(text), number > 0 else {
            throw Failure("\(name) takes a number from 1, not '\(text)'")
        }
        return number
    }

    /// What to type to see a kill again, with all that went before it.
    func command(for kill: Int, of backend: String) -> String {
        "KILL_SEED=\(seed) KILLS=\(kill) KILL_BACKEND=\(backend)"
            + " swift test --filter DemobrowserTests.KillTests/kills"
    }
}

/// Why a test has failed, as a whole: thrown where an expectation would belong to no test.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
