import Foundation

/// How much the tests try: a bounded part of every long proof with each change, all of it at night.
public enum TestRun {
    /// Whether this is the nightly run, which `make nightly` starts: `NIGHTLY=1`.
    public static let isNightly = ProcessInfo.processInfo.environment["NIGHTLY"] == "1"

    /// The size of a proof, such as its number of kills.
    public static func amount(_ bounded: Int, nightly: Int) -> Int {
        isNightly ? nightly : bounded
    }

    /// The seeds of random tests: 1 to a number, unless the environment gives others, such as `NAME=4-60`.
    public static func seeds(
        _ name: String, _ bounded: Int, nightly: Int
    ) -> ClosedRange<UInt64> {
        let given =
            ProcessInfo.processInfo.environment[name] ?? "1-\(amount(bounded, nightly: nightly))"
        let ends = given.split(separator: "-").compactMap { UInt64($0) }
        return (ends.first ?? 1)...(ends.last ?? 1)
    }
}
