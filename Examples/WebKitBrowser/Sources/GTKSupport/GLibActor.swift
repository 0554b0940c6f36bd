import CWebKitGTK

/// The main loop of GLib as an actor: what is isolated to it runs on the thread of that loop, between
/// its other events. It uses nothing but GLib's public functions.
@globalActor
public actor GLibActor {
    public static let shared = GLibActor()
    private static let executor = GLibExecutor()

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        Self.executor.asUnownedSerialExecutor()
    }

    /// Runs what a callback of the main loop does, which is on its thread already; stops the program if
    /// it is not.
    public static func assumeIsolated<Answer>(
        _ body: @GLibActor () throws -> Answer
    ) rethrows -> Answer {
        shared.preconditionIsolated()
        // As the standard library does it for the main actor: the isolation was looked at above, and is
        // no part of how the function is called.
        return try withoutActuallyEscaping(body) {
            try unsafeBitCast($0, to: (() throws -> Answer).self)()
        }
    }
}

/// Gives each job to the main loop, from whatever thread it comes.
private final class GLibExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let box = Unmanaged.passRetained(JobBox(UnownedJob(job), self))
        // Among the loop's other events, not behind them: a page that draws must not hold up a save.
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { pointer in
                if let pointer {
                    Unmanaged<JobBox>.fromOpaque(pointer).takeRetainedValue().run()
                }
                return 0
            }, box.toOpaque(), nil)
    }

    func checkIsolated() { precondition(isOnLoop, "this is not the thread of the main loop") }
    func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    private var isOnLoop: Bool { g_main_context_is_owner(g_main_context_default()) != 0 }
}

private final class JobBox {
    private let job: UnownedJob
    private let executor: GLibExecutor

    init(_ job: UnownedJob, _ executor: GLibExecutor) {
        (self.job, self.executor) = (job, executor)
    }

    func run() { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
}
