import Foundation

/// How a process ended.
package enum ProcessEnd: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case signal(Int32)

    /// Waits for the end of a child. Afterward, its process identifier can be reused.
    init(of child: pid_t) {
        var status: Int32 = 0
        // waits: each turn blocks in waitpid
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signal(signal)
    }

    /// The exit status; `nil` if a signal ended the process.
    package var status: Int32? {
        if case .exited(let code) = self { code } else { nil }
    }

    package var description: String {
        switch self {
        case .exited(let code): "exited with code \(code)"
        case .signal(let number):
            "ended by signal \(number)" + (Self.names[number].map { " (\($0))" } ?? "")
        }
    }

    private static let names: [Int32: String] = [
        SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS",
        SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV", SIGPIPE: "SIGPIPE",
        SIGTERM: "SIGTERM",
    ]
}
