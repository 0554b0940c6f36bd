import BrowserModel
import BrowserSessions
import SessionRestoration
import SessionTesting
import Testing

@testable import demobrowser

/// A browser over a store.
@MainActor func launch(_ storage: MemoryStorage) async throws -> Browser {
    try await Browser(storage: storage, policy: RestorationPolicy())
}

/// Performs lines as a user types them, and returns the answer to the last one.
@MainActor @discardableResult
func perform(_ lines: String..., in browser: Browser) async throws -> [String] {
    var answer: [String] = []
    for line in lines {
        guard case .action(let action)? = try Command.read(line) else {
            throw Failure("'\(line)' is no command that the browser performs")
        }
        answer = try await action(browser)
    }
    return answer
}
