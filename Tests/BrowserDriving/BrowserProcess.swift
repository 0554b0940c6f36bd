import Foundation
import Synchronization

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
        var places = descriptors
        places[1] = pipe.write.number
        places[2] = pipe.write.number
        let environment = ProcessInfo.processInfo.environment
            .merging(["HOME": home, "MOZ_CRASHREPORTER_DISABLE": "1"]) { $1 }
        identifier = try withExtendedLifetime(pipe) {
            try Self.spawn([program] + arguments, environment, places)
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
            wait()
        }
    }

    /// Returns when the browser has ended by itself, or was killed because it did not.
    func waitUntilExit() { end { wait() } }

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

    private func wait() {
        var status: Int32 = 0
        // waits: each turn blocks in waitpid
        while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    }

    private static func spawn(
        _ words: [String], _ environment: [String: String], _ places: [Int32: Int32]
    ) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (place, descriptor) in places {
            posix_spawn_file_actions_adddup2(&actions, descriptor, place)
        }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        let arguments = words.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
        let variables =
            environment.map { strdup("\($0.key)=\($0.value)") as UnsafeMutablePointer<CChar>? }
            + [nil]
        defer { for text in arguments + variables { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawn(
            &identifier, words[0], &actions, &attributes, arguments, variables)
        guard code == 0 else {
            throw DrivingError("\(words[0]) cannot be started: \(String(cString: strerror(code)))")
        }
        return identifier
    }
}

/// What went wrong between a test and a browser.
public struct DrivingError: Error, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}
