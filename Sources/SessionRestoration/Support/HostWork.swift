/// Runs work later in the isolation in which the host's model lives.
///
/// The model's classes are not `Sendable`, so what is done to them after a delay, or because an
/// observer that cannot wait asked for it, must be done by a task of that isolation. One such task
/// waits here for signals; every piece of work gets a task of its own.
///
/// The closures given to it must not have a capture list: with one, Swift 6.3.1 forgets that an
/// async closure runs where it is called, and the work would race with the host. Write
/// `weak let restorer = self` before the closure instead of `[weak self]` in it.
final class HostWork {
    private enum Signal: Sendable {
        case jobs
        case timer(Int)
    }

    private let clock: any Clock<Duration>
    private let signals: AsyncStream<Signal>
    private let sender: AsyncStream<Signal>.Continuation
    private var jobs: [() async -> Void] = []
    private var timers: [Int: () async -> Void] = [:]
    private var lastTimer = 0

    init(clock: any Clock<Duration>) {
        self.clock = clock
        (signals, sender) = AsyncStream.makeStream()
    }

    deinit { sender.finish() }

    /// Begins to run what is asked for; call it once, in the host's isolation.
    func start(isolation: isolated any Actor) {
        let signals = signals
        Task { [weak self] in
            _ = isolation
            for await signal in signals {
                guard let jobs = self?.take(signal) else { return }
                for job in jobs {
                    Task {
                        _ = isolation
                        await job()
                    }
                }
            }
        }
    }

    /// Runs the job soon.
    func enqueue(_ job: @escaping () async -> Void) {
        jobs.append(job)
        sender.yield(.jobs)
    }

    /// Runs the job after a delay, counted from now, unless the timer is cancelled before.
    func after(_ delay: Duration, _ job: @escaping () async -> Void) -> HostTimer {
        lastTimer += 1
        let number = lastTimer
        timers[number] = job
        let sender = sender
        let wait = Self.wait(delay, on: clock)
        let sleep = Task {
            guard (try? await wait()) != nil else { return }
            sender.yield(.timer(number))
        }
        return HostTimer { [weak self] in
            sleep.cancel()
            self?.timers[number] = nil
        }
    }

    private func take(_ signal: Signal) -> [() async -> Void] {
        switch signal {
        case .jobs:
            defer { jobs = [] }
            return jobs
        case .timer(let number):
            return timers.removeValue(forKey: number).map { [$0] } ?? []
        }
    }

    /// Fixes the deadline now, so that a task that starts late does not sleep longer.
    private static func wait<C: Clock>(
        _ delay: Duration, on clock: C
    ) -> @Sendable () async throws -> Void where C.Duration == Duration {
        let deadline = clock.now.advanced(by: delay)
        return { try await clock.sleep(until: deadline, tolerance: nil) }
    }
}

/// Work that was asked for and has not begun.
final class HostTimer {
    private let onCancel: () -> Void

    init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

    func cancel() { onCancel() }
}
