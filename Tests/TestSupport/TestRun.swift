import Foundation

/// How much the tests try: a bounded part of every long proof with each change, all of it at night.
public enum TestRun {
    /// Whether this is the nightly run, which `make nightly` starts: `NIGHTLY=1`.
    public static let isNightly = ProcessInfo.processInfo.environment["NIGHTLY"] == "1"

    /// The size of a proof, such as its number of kills.
    public static func amount(_ bounded: Int, nightly: Int) -> Int {
        isNightly ? nightly : bounded
    }
}
