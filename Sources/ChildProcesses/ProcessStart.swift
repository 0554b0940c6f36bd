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
        pass(to: &actions)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
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

    #if canImport(Darwin)
        private typealias Actions = posix_spawn_file_actions_t?
    #else
        private typealias Actions = posix_spawn_file_actions_t
    #endif

    /// Passes the descriptors, and the standard ones that are inherited, and no others.
    private func pass(to actions: inout Actions) {
        for (place, descriptor) in descriptors.sorted(by: { $0.key < $1.key }) {
            posix_spawn_file_actions_adddup2(&actions, descriptor.number, place)
        }
        let highest = max(2, descriptors.keys.max() ?? 2)
        for place in 0...highest where descriptors[place] == nil {
            #if canImport(Darwin)
                if place < 3 { posix_spawn_file_actions_addinherit_np(&actions, place) }
            #else
                if place > 2 { posix_spawn_file_actions_addclose(&actions, place) }
            #endif
        }
        platform_spawn_without(&actions, highest + 1)
    }
}
