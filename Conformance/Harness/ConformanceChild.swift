import Foundation

/// The child's end of a `ChildProcess`.
public enum ConformanceChild {
    /// Whether the suite started this process to do part of a case.
    public static var isChild: Bool { ChildOrder.ofThisProcess != nil }

    /// Does the work that the suite started this process for, then ends the process.
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

    /// Writes a line for the parent in one piece. The system has the line when this returns.
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

    /// Ends the process when its parent has ended.
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

/// Redirects standard output in a child process. The program that embeds a store owns standard
/// output, so reports go where it led, and what a store writes there goes to an unnamed file.
enum StandardOutput {
    /// Where reports go. The first use redirects standard output.
    static let report: Int32 = {
        let report = fcntl(1, F_DUPFD_CLOEXEC, 3)
        guard report >= 0, let file = tmpfile() else { return 1 }
        fflush(nil)
        dup2(fileno(file), 1)
        return report
    }()

    static func leadAway() { _ = report }

    /// The text written since the redirection; `nil` if there is none.
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

/// A part of a case that runs in another process and reports in lines.
struct Worker: Sendable {
    var name: String
    var run: @Sendable (ChildOrder, any StorageHarness) async throws -> Void

    /// All workers of the suite, listed apart from the groups. A run starts such processes some
    /// thousand times, and they need not first make all requirements and cases.
    static let all: [Worker] =
        [.hello, .preflight, .wholeCase] + incognito + erase + crash + power + fault + concurrency
        + model + [.recordedRemoval]

    static func named(_ name: String) -> Worker? { all.first { $0.name == name } }

    /// Reports that a process can be started.
    static let hello = Worker(name: "hello") { _, harness in
        ConformanceChild.report("hello \(harness.name)")
    }
}
