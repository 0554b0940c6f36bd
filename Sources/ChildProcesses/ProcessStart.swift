import BrowserSessions
import CPlatform
import Foundation
import StorageEngines

/// How to start a process in a group of its own, with no signal blocked.
struct ProcessStart {
    /// The path of the program, and its arguments.
    var command: [String]
    var environment: [String: String]
    /// The descriptors that the process gets, by their number in the process: all up to the highest
    /// one except the standard ones, which it otherwise inherits.
    var descriptors: [Int32: Descriptor]

    /// Starts the process. Throws if that is impossible.
    func run() throws(StorageError) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (place, descriptor) in descriptors.sorted(by: { $0.key < $1.key }) {
            posix_spawn_file_actions_adddup2(&actions, descriptor.number, place)
        }
        platform_spawn_without(&actions, max(2, descriptors.keys.max() ?? 2) + 1)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawnattr_setpgroup(&attributes, 0)
        // The threads of a queue block most signals.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        // A process that runs in the background or outlives its terminal ignores some signals.
        var ending = sigset_t()
        sigemptyset(&ending)
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaddset(&ending, signal) }
        posix_spawnattr_setsigdefault(&attributes, &ending)
        let words = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var identifier: pid_t = 0
        let code = withExtendedLifetime(descriptors) {
            posix_spawn(&identifier, command[0], &actions, &attributes, words, variables)
        }
        guard code == 0 else { throw StorageError.system("start", path: command[0], number: code) }
        return identifier
    }
}
