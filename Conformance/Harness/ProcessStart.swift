package import Foundation

/// How to start a process in a group of its own, with no signal blocked.
package struct ProcessStart {
    /// The path of the program.
    package var program: String
    package var arguments: [String]
    package var environment: [String: String]
    /// The descriptors that the process gets, by their number in the process.
    package var descriptors: [Int32: Int32]
    /// The descriptors that the process must not get.
    package var closed: [Int32]

    package init(
        program: String, arguments: [String], environment: [String: String],
        descriptors: [Int32: Int32], closed: [Int32] = []
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.descriptors = descriptors
        self.closed = closed
    }

    /// Every descriptor except the three standard ones, including those that others open meanwhile.
    package static var beyondStandard: [Int32] {
        #if canImport(Darwin)
            // Closing a descriptor that is not open is an error here; those to be kept are marked.
            []
        #else
            Array(3..<min(Int32(sysconf(Int32(_SC_OPEN_MAX))), 4096))
        #endif
    }

    /// Starts the process, or throws ``HarnessFault`` if that is impossible.
    package func run() throws -> pid_t {
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
            posix_spawn_file_actions_adddup2(&actions, descriptor, place)
        }
        for descriptor in closed { posix_spawn_file_actions_addclose(&actions, descriptor) }
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
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, program, &actions, &attributes, words, variables)
        guard code == 0 else {
            throw HarnessFault(
                "'\(program)' cannot be started: \(String(cString: strerror(code)))")
        }
        return identifier
    }
}
