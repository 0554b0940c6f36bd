import BrowserSessions

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where a process runs: what tells a crash of the app from a restart of the system.
public struct LaunchEnvironment: Hashable, Sendable {
    /// Another value after each start of the system; empty where the system does not tell.
    public var bootID: String
    /// Noted for people who look at a store; no rule depends on it, since systems use numbers
    /// again.
    public var processID: Int32
    /// Another value in each process; empty if it is not known.
    public var instance: String

    public init(bootID: String, processID: Int32, instance: String = "") {
        self.bootID = bootID
        self.processID = processID
        self.instance = instance
    }

    /// That of this process.
    public static func current() -> LaunchEnvironment {
        LaunchEnvironment(bootID: systemBootID(), processID: getpid(), instance: thisProcess)
    }

    /// A constant: whatever runs in one process finds the same value.
    private static let thisProcess = RestorerID.random().description

    /// Whether something was noted in the process in which this is asked.
    func isSameProcess(as other: LaunchEnvironment) -> Bool {
        !instance.isEmpty && instance == other.instance
    }

    /// Whether the environment says that somebody develops the app.
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
