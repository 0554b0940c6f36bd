import Foundation

/// The other end of ``ChildProcess``: what a child process does.
public enum ConformanceChild {
    /// Whether this process was started by the suite to do a part of a case.
    public static var isChild: Bool { ChildOrder.ofThisProcess != nil }

    /// Does what the suite started this process for, and ends the process.
    public static func run(harness: any StorageHarness) async -> Never {
        guard let order = ChildOrder.ofThisProcess else {
            report("error no order in the environment")
            exit(2)
        }
        if !order.isAlone { endWithInput() }
        StandardOutput.leadAway()
        guard let worker = Worker.named(order.worker) else {
            report("error no worker is called '\(order.worker)'")
            exit(2)
        }
        do {
            try await worker.run(order, harness)
            exit(0)
        } catch {
            report("error \(oneLine("\(error)"))")
            exit(1)
        }
    }

    /// Writes a line for the parent in one piece; it is with the system when this returns.
    static func report(_ line: String) {
        var bytes = [UInt8]("\n\(ChildProcess.marker)\(line)\n".utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                write(StandardOutput.report, $0.baseAddress, $0.count)
            }
            if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return }
        }
    }

    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Ends the process when its parent is gone.
    private static func endWithInput() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let count = read(0, &byte, 1)
                if count == 0 || (count < 0 && errno != EINTR) { _exit(3) }
            }
        }
    }
}

/// Standard output belongs to the program that embeds a store. In a child its reports go where it
/// led, and what a store writes there goes to a file without a name, and is found.
enum StandardOutput {
    /// Where reports go. Its first use leads standard output away.
    static let report: Int32 = {
        let report = fcntl(1, F_DUPFD_CLOEXEC, 3)
        guard report >= 0, let file = tmpfile() else { return 1 }
        fflush(nil)
        dup2(fileno(file), 1)
        return report
    }()

    static func leadAway() { _ = report }

    /// What was written since; `nil` if nothing was.
    static var strayText: String? {
        guard report != 1 else { return nil }
        fflush(nil)
        let length = lseek(1, 0, SEEK_END)
        guard length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: min(Int(length), 200))
        let count = pread(1, &bytes, bytes.count, 0)
        return ConformanceChild.oneLine(
            String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self))
    }
}

/// Something that a case has done in another process. Workers report in lines.
struct Worker: Sendable {
    var name: String
    var run: @Sendable (ChildOrder, any StorageHarness) async throws -> Void

    /// All workers of the suite. They are listed apart from the groups: a process that does a part of a case
    /// is started some thousand times in a run, and need not make all requirements and cases first.
    static let all: [Worker] =
        [.hello, .preflight, .wholeCase] + incognito + erase + crash + power + fault + concurrency
        + model

    static func named(_ name: String) -> Worker? { all.first { $0.name == name } }

    /// Says that a process can be started.
    static let hello = Worker(name: "hello") { _, harness in
        ConformanceChild.report("hello \(harness.name)")
    }
}
