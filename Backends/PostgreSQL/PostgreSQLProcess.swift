#if PostgreSQL
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// A process that has profiles, with what others on its machine need to check whether it
    /// exists.
    struct PostgreSQLProcess: Sendable {
        /// The name of the machine, for people.
        let host: String
        /// Identifies the machine, its start and its space of process numbers; empty where that is
        /// unknown.
        let machine: String
        let number: Int64
        /// When it began, as its machine describes it, so that another process with its number is
        /// not taken for it.
        let started: String

        static let own = PostgreSQLProcess(
            host: hostName, machine: ownMachine, number: Int64(getpid()),
            started: state(of: Int64(getpid()))?.started ?? "")

        /// Whether it ended for certain; only its own machine can tell.
        var isGone: Bool {
            guard !machine.isEmpty, machine == Self.ownMachine, !started.isEmpty,
                let process = pid_t(exactly: number), process > 0
            else { return false }
            if let state = Self.state(of: number) {
                return state.started != started || ["Z", "X"].contains(state.code)
            }
            return kill(process, 0) != 0 && errno == ESRCH
        }

        private static var hostName: String {
            var name = [CChar](repeating: 0, count: 256)
            let result = gethostname(&name, name.count - 1)
            return result == 0
                ? String(
                    decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                : "?"
        }

        private static let ownMachine: String = {
            guard let boot = contents("/proc/sys/kernel/random/boot_id") else { return "" }
            var space = stat()
            guard stat("/proc/self/ns/pid", &space) == 0 else { return "" }
            return "\(boot.filter { !$0.isWhitespace }) \(space.st_ino)"
        }()

        /// Returns what Linux says about a process: after its name, which may contain anything, the
        /// state is the first field and the start the twentieth.
        private static func state(of process: Int64) -> (code: String, started: String)? {
            guard let text = contents("/proc/\(process)/stat"), let end = text.lastIndex(of: ")")
            else {
                return nil
            }
            let fields = text[text.index(after: end)...].split(separator: " ")
            return fields.count > 19 ? (String(fields[0]), String(fields[19])) : nil
        }

        private static func contents(_ path: String) -> String? {
            guard let file = fopen(path, "r") else { return nil }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = fread(&bytes, 1, bytes.count, file)
            return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
        }
    }
#endif
