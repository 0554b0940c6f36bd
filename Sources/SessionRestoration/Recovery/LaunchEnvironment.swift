import BrowserSessions

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The environment of a process, which distinguishes a crash of the app from a restart of the system.
public struct LaunchEnvironment: Hashable, Sendable {
    /// A value that changes with each start of the system; empty if the system does not provide it.
    public var bootID: String
    /// The process identifier, for people who inspect a store. No rule depends on it, because
    /// systems reuse these numbers.
    public var processID: Int32
    /// A value that is different in each process; empty if it is not known.
    public var instance: String

    /// Creates an environment, for tests that simulate processes; by default, one in which the
    /// process has no ``instance``.
    public init(bootID: String, processID: Int32, instance: String = "") {
        self.bootID = bootID
        self.processID = processID
        self.instance = instance
    }

    /// Returns the environment of this process.
    public static func current() -> LaunchEnvironment {
        LaunchEnvironment(bootID: systemBootID(), processID: getpid(), instance: thisProcess)
    }

    /// A constant, so that all restorers of a process have the same value.
    private static let thisProcess = RestorerID.random().description

    /// Returns whether two environments are of the same process.
    func isSameProcess(as other: LaunchEnvironment) -> Bool {
        !instance.isEmpty && instance == other.instance
    }

    /// Whether the environment variable for development is set.
    static var isDevelopment: Bool {
        guard let value = getenv("BROWSER_SESSIONS_DEVELOPMENT") else { return false }
        return !["", "0"].contains(String(cString: value))
    }

    #if canImport(Darwin)
        private static func systemBootID() -> String {
            var length = 64
            var bytes = [UInt8](repeating: 0, count: length)
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &length, nil, 0) == 0 else {
                return ""
            }
            return text(bytes.prefix(length))
        }
    #else
        private static func systemBootID() -> String {
            let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return "" }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(file, &bytes, bytes.count)
            return text(bytes.prefix(max(0, count)))
        }
    #endif

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 > 32 && $0 < 127 }, as: UTF8.self)
    }
}
