import Foundation

/// Waits until a condition holds that only looking tells, such as what a browser wrote to a file.
///
/// - Returns: `false` when it does not hold within 20 s.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<200 {
        if try condition() { return true }
        // waits: a browser tells nobody when it writes its files
        usleep(100_000)
    }
    return try condition()
}
