import Foundation
import StorageConformance
import Synchronization
import TestSupport

/// A browser in a process group of its own, gone with this value.
///
/// It is killed when it lives longer than it may. Whoever waits for its words then reads their end,
/// so that nothing that talks to a browser needs a limit of its own.
final class BrowserProcess: Sendable {
    let output: ProcessOutput
    private let identifier: pid_t
    private let limit: Double
    private let state = Mutex(State())

    private struct State {
        var hasEnded = false
        var isOverdue = false
    }

    /// - Parameters:
    ///   - descriptors: what the browser finds under which number; they stay open here.
    ///   - home: where it keeps what belongs to no profile.
    ///   - limit: seconds after which it is killed.
    init(
        _ program: String, _ arguments: [String], descriptors: [Int32: Int32] = [:], home: String,
        limit: Double = 120
    ) throws {
        let pipe = try DescriptorPipe()
        let nothing = try Descriptor("/dev/null", O_RDONLY)
        let places = descriptors.merging([
            0: nothing.number, 1: pipe.write.number, 2: pipe.write.number,
        ]) { $1 }
        let environment = ProcessInfo.processInfo.environment
            .merging(["HOME": home, "MOZ_CRASHREPORTER_DISABLE": "1"]) { $1 }
        identifier = try withExtendedLifetime((pipe, nothing)) {
            try ProcessStart(
                program: program, arguments: arguments, environment: environment,
                descriptors: places
            ).run()
        }
        output = ProcessOutput(pipe.read)
        self.limit = limit
        // waits: a limit for browsers that hang, which a good one never comes to
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [weak self] in
            guard let self else { return }
            state.withLock { state in
                guard !state.hasEnded else { return }
                state.isOverdue = true
                _ = Foundation.kill(-identifier, SIGKILL)
            }
        }
    }

    deinit { kill() }

    /// Kills the browser's own process, as a crash would; then what it leaves behind.
    func kill() {
        end {
            _ = Foundation.kill(identifier, SIGKILL)
            _ = ProcessEnd(of: identifier)
        }
    }

    /// Returns when the browser has ended by itself, or was killed because it did not.
    func waitUntilExit() { end { _ = ProcessEnd(of: identifier) } }

    /// How it stands with the browser, for the message of an error.
    var condition: String {
        let time =
            state.withLock(\.isOverdue) ? "was killed after \(limit) s" : "ended or broke off"
        return "the browser \(time) and said last: \(output.lastLines)"
    }

    /// Not under the lock: the limit has to be able to end a browser that is waited for.
    private func end(_ body: () -> Void) {
        guard !state.withLock(\.hasEnded) else { return }
        body()
        state.withLock { $0.hasEnded = true }
        _ = Foundation.kill(-identifier, SIGKILL)
    }
}

/// What went wrong between a test and a browser.
public struct DrivingError: Error, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}
