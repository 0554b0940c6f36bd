import BrowserSessions

/// Runs work later in the isolation of the host's model.
///
/// The model's classes are not `Sendable`. Work on them after a delay, or for an observer that
/// cannot wait, therefore needs a task of that isolation. One such task waits here for signals, and
/// every job gets its own task.
///
/// Closures that are passed to it must not have a capture list. With one, Swift 6.3.1 loses the
/// isolation of an async closure, and the work would race with the host. Write
/// `weak let restorer = self` before the closure instead of `[weak self]` in it.
final class IsolatedTaskQueue {
    private enum Signal: Sendable {
        case jobs
        case timer(Int)
        case ended(Int)
    }

    private let clock: any Clock<Duration>
    private let signals: AsyncStream<Signal>
    private let sender: AsyncStream<Signal>.Continuation
    private var jobs: [Job] = []
    private var timers: [Int: Timer] = [:]
    private var lastTimer = 0
    /// The work to do when work elsewhere has ended.
    private var endings: [Int: Ending] = [:]
    /// Whether a task runs the jobs.
    private var isStarted = false
    /// The number of jobs that were taken and have not begun, and of those that have begun and not ended.
    private var beginning = 0
    private var running = 0
    private var waiters: [Waiter] = []

    private struct Job {
        var work: () async -> Void
        /// Whether callers that wait for all work wait for the end of this job.
        var isAwaited = true
    }

    private struct Ending {
        var isAwaited: Bool
        var work: () -> Void
    }

    private struct Timer {
        /// Whether its time has come, even if the sleeping task was not resumed yet.
        var isDue: () -> Bool
        var job: Job
    }

    /// A caller that waits until no job is to begin, or until none is to begin or end.
    private struct Waiter {
        var waitsForEnds: Bool
        var signal: AsyncStream<Never>.Continuation
    }

    init(clock: any Clock<Duration>) {
        self.clock = clock
        (signals, sender) = AsyncStream.makeStream()
    }

    deinit { sender.finish() }

    /// Begins to run jobs. Call this once, in the host's isolation.
    func start(isolation: isolated any Actor) {
        let signals = signals
        isStarted = true
        Task { [weak self] in
            _ = isolation
            for await signal in signals {
                if case .ended(let number) = signal {
                    self?.hasEnded(number)
                    continue
                }
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

    /// Runs a job soon.
    ///
    /// - Parameter isAwaited: whether ``waitUntilIdle()`` waits for its end; `false` if it may never end.
    func enqueue(isAwaited: Bool = true, _ job: @escaping () async -> Void) {
        jobs.append(Job(work: job, isAwaited: isAwaited))
        sender.yield(.jobs)
    }

    /// Runs a job after a delay that starts now, unless the timer is cancelled before.
    func after(_ delay: Duration, _ job: @escaping () async -> Void) -> ScheduledTask {
        lastTimer += 1
        let number = lastTimer
        let sender = sender
        let (isDue, wait) = Self.deadline(delay, on: clock)
        timers[number] = Timer(isDue: isDue, job: Job(work: job))
        let sleep = Task {
            guard (try? await wait()) != nil else { return }
            sender.yield(.timer(number))
        }
        return ScheduledTask(self, number, sleep)
    }

    /// Runs work elsewhere, and then a closure here with its result.
    ///
    /// - Parameter isAwaited: whether ``waitUntilIdle()`` waits for its end; `false` if a caller does.
    /// - Returns: a task that cancels the closure here; the work continues.
    func run<Value: Sendable>(
        isAwaited: Bool = true, _ work: @escaping @Sendable () async throws -> Value,
        then: @escaping (Result<Value, StorageError>) -> Void
    ) -> ScheduledTask {
        lastTimer += 1
        let (number, sender) = (lastTimer, sender)
        let answer = AwaitedAnswer<Value>()
        endings[number] = Ending(isAwaited: isAwaited) {
            if let given = answer.outcome { then(given) }
        }
        Task.detached {
            answer.give(await outcome(work))
            sender.yield(.ended(number))
        }
        return ScheduledTask(self, number)
    }

    fileprivate func cancel(_ number: Int) {
        timers[number] = nil
        endings[number] = nil
        tellWaiters()
    }

    private func hasEnded(_ number: Int) {
        // The work counts as running until everything that it causes does.
        endings[number]?.work()
        endings[number] = nil
        tellWaiters()
    }

    /// Runs work without isolation after a delay, even if the queue was not started.
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
        case .ended: break
        case .timer(let number):
            if let timer = timers.removeValue(forKey: number) { taken = [timer.job] }
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

// MARK: - Waiting for work

extension IsolatedTaskQueue {
    /// Waits until all requested or due work has ended, including work that it requested. Returns
    /// immediately before the start, and if the task is cancelled.
    func waitUntilIdle() async { await wait(forEnds: true) }

    /// Waits until all requested or due work has begun, and has continued as far as it can without
    /// waiting. Returns immediately before the start, and if the task is cancelled.
    func waitUntilAllHasBegun() async { await wait(forEnds: false) }

    private func wait(forEnds waitsForEnds: Bool) async {
        guard !isDone(waitsForEnds) else { return }
        let (signals, signal) = AsyncStream<Never>.makeStream()
        waiters.append(Waiter(waitsForEnds: waitsForEnds, signal: signal))
        for await _ in signals {}
    }

    private func isDone(_ waitsForEnds: Bool) -> Bool {
        guard isStarted else { return true }
        return jobs.isEmpty && beginning == 0
            && !(waitsForEnds && (running > 0 || endings.values.contains { $0.isAwaited }))
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

/// Requested work that has not begun.
final class ScheduledTask {
    private weak var work: IsolatedTaskQueue?
    private let number: Int
    private let sleep: Task<Void, Never>?

    fileprivate init(_ work: IsolatedTaskQueue, _ number: Int, _ sleep: Task<Void, Never>? = nil) {
        self.work = work
        self.number = number
        self.sleep = sleep
    }

    func cancel() {
        sleep?.cancel()
        work?.cancel(number)
    }
}
