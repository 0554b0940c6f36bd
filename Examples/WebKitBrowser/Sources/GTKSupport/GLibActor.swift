import CWebKitGTK

/// The main loop of GLib as an actor. Code isolated to it runs on the thread of that loop, between
/// its other events. The actor only uses GLib's public functions.
@globalActor
public actor GLibActor {
    public static let shared = GLibActor()
    private static let executor = GLibExecutor()

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        Self.executor.asUnownedSerialExecutor()
    }

    /// Runs the body of a main loop callback, which is already on the loop's thread. Stops the
    /// program if it is not.
    public static func assumeIsolated<Answer>(
        _ body: @GLibActor () throws -> Answer
    ) rethrows -> Answer {
        shared.preconditionIsolated()
        // As in the standard library's version for the main actor: the isolation is checked above,
        // and does not affect how the function is called.
        return try withoutActuallyEscaping(body) {
            try unsafeBitCast($0, to: (() throws -> Answer).self)()
        }
    }
}

/// An executor that passes jobs from any thread to the main loop.
private final class GLibExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let box = Unmanaged.passRetained(JobBox(UnownedJob(job), self))
        // The priority is that of the loop's other events, so that a page that draws does not delay a save.
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
