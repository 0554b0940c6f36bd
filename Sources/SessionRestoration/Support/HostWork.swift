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
    private var jobs: [Job] = []
    private var timers: [Int: Timer] = [:]
    private var lastTimer = 0
    /// Whether somebody runs what is asked for.
    private var isStarted = false
    /// Jobs that were taken and have not begun; those that have begun and not ended.
    private var beginning = 0
    private var running = 0
    private var waiters: [Waiter] = []

    private struct Job {
        var work: () async -> Void
        /// Whether who waits for the work waits for its end.
        var isAwaited = true
    }

    private struct Timer {
        /// Whether its time has come, also if the task that sleeps for it has not heard of that yet.
        var isDue: () -> Bool
        var job: () async -> Void
    }

    /// Somebody who waits until nothing is to begin, or until nothing is to begin or to end.
    private struct Waiter {
        var waitsForEnds: Bool
        var signal: AsyncStream<Never>.Continuation
    }

    init(clock: any Clock<Duration>) {
        self.clock = clock
        (signals, sender) = AsyncStream.makeStream()
    }

    deinit { sender.finish() }

    /// Begins to run what is asked for; call it once, in the host's isolation.
    func start(isolation: isolated any Actor) {
        let signals = signals
        isStarted = true
        Task { [weak self] in
            _ = isolation
            for await signal in signals {
                guard let jobs = self?.take(signal) else { return }
                for job in jobs {
                    Task {
                        _ = isolation
                        self?.hasBegun(job)
                        await job.work()
                        self?.hasEnded(job)
                    }
                }
            }
        }
    }

    /// Runs the job soon.
    ///
    /// - Parameter isAwaited: whether ``waitUntilIdle()`` waits for its end; not for one that may never end.
    func enqueue(isAwaited: Bool = true, _ job: @escaping () async -> Void) {
        jobs.append(Job(work: job, isAwaited: isAwaited))
        sender.yield(.jobs)
    }

    /// Runs the job after a delay, counted from now, unless the timer is cancelled before.
    func after(_ delay: Duration, _ job: @escaping () async -> Void) -> HostTimer {
        lastTimer += 1
        let number = lastTimer
        let sender = sender
        let (isDue, wait) = Self.deadline(delay, on: clock)
        timers[number] = Timer(isDue: isDue, job: job)
        let sleep = Task {
            guard (try? await wait()) != nil else { return }
            sender.yield(.timer(number))
        }
        return HostTimer { [weak self] in
            sleep.cancel()
            self?.timers[number] = nil
            self?.tellWaiters()
        }
    }

    /// Does something that needs no isolation after a delay, also if nothing was started.
    func remind(
        after delay: Duration, _ work: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        let (_, wait) = Self.deadline(delay, on: clock)
        return Task {
            guard (try? await wait()) != nil else { return }
            work()
        }
    }

    private func take(_ signal: Signal) -> [Job] {
        var taken: [Job] = []
        switch signal {
        case .jobs: swap(&taken, &jobs)
        case .timer(let number):
            if let timer = timers.removeValue(forKey: number) { taken = [Job(work: timer.job)] }
        }
        beginning += taken.count
        return taken
    }

    /// Fixes the deadline now, so that a task that starts late does not sleep longer.
    private static func deadline<C: Clock>(
        _ delay: Duration, on clock: C
    ) -> (isDue: () -> Bool, wait: @Sendable () async throws -> Void)
    where C.Duration == Duration {
        let deadline = clock.now.advanced(by: delay)
        return (
            { clock.now >= deadline }, { try await clock.sleep(until: deadline, tolerance: nil) }
        )
    }
}

// MARK: - Waiting for the work

extension HostWork {
    /// Returns once all work that was asked for or is due has ended, that which it asked for itself,
    /// too; at once before the start, and if the task is cancelled.
    func waitUntilIdle() async { await wait(forEnds: true) }

    /// Returns once all work that was asked for or is due has begun, and has come as far as it can
    /// without waiting; at once before the start, and if the task is cancelled.
    func waitUntilAllHasBegun() async { await wait(forEnds: false) }

    private func wait(forEnds waitsForEnds: Bool) async {
        guard !isDone(waitsForEnds) else { return }
        let (signals, signal) = AsyncStream<Never>.makeStream()
        waiters.append(Waiter(waitsForEnds: waitsForEnds, signal: signal))
        for await _ in signals {}
    }

    private func isDone(_ waitsForEnds: Bool) -> Bool {
        guard isStarted else { return true }
        return jobs.isEmpty && beginning == 0 && !(waitsForEnds && running > 0)
            && !timers.values.contains { $0.isDue() }
    }

    private func hasBegun(_ job: Job) {
        beginning -= 1
        if job.isAwaited { running += 1 }
        tellWaiters()
    }

    private func hasEnded(_ job: Job) {
        if job.isAwaited { running -= 1 }
        tellWaiters()
    }

    private func tellWaiters() {
        waiters.removeAll { waiter in
            guard isDone(waiter.waitsForEnds) else { return false }
            waiter.signal.finish()
            return true
        }
    }
}

/// Work that was asked for and has not begun.
final class HostTimer {
    private let onCancel: () -> Void

    init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

    func cancel() { onCancel() }
}
