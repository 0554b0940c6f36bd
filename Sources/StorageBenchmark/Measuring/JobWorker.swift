import BrowserSessions
import CommandLineSupport
import LocalFiles
import SessionSamples

/// The work of a child: all jobs of an order on one store. Each job ends with closing and opening
/// the store, and a comparison.
struct JobWorker {
    let order: JobOrder
    let contestant: Contestant
    /// The cache that workloads drop to open a store without it.
    var pageCache = PageCache.system
    /// The program of companions.
    var executable = OwnProgram.path
    /// Receives each answer as soon as it is ready.
    let answer: (JobAnswer) -> Void

    /// Runs the jobs. After a wrong answer or an error, the next job gets a new store. Without
    /// space or permission, the remaining jobs get no answer.
    func run() async throws(StorageError) {
        var scene = try await makeScene(order.folder)
        for place in order.jobs.indices {
            let reply = await perform(place, scene)
            answer(reply)
            if StorageError.stopsBench(reply.failureCode) { return }
            if reply.isSound { continue }
            try? await scene.close()
            let folder = Self.folder(after: place, of: order)
            try FileSystem.makeDirectories(folder)
            scene = try await makeScene(folder)
        }
        try await scene.close()
    }

    /// Returns the folder of the next store after a failed job.
    static func folder(after place: Int, of order: JobOrder) -> String {
        "\(order.folder)/after-\(place)"
    }

    private func makeScene(_ folder: String) async throws(StorageError) -> Scene {
        // Numbers of written and synced bytes do not depend on what is in memory.
        try await Scene(
            contestant, tabs: order.tabs, seed: order.seed, folder: folder,
            pageCache: order.isCounting ? .kept : pageCache, executable: executable)
    }

    private func perform(_ place: Int, _ scene: Scene) async -> JobAnswer {
        let job = order.jobs[place]
        var reply = JobAnswer(job)
        guard let workload = Workload.named(job.workload) else {
            reply.failure = "there is no workload '\(job.workload)'"
            return reply
        }
        guard scene.store.traits.durability.contains(job.durability) || !workload.isSaving else {
            reply.unsupported = "saves do not reach .\(job.durability.rawValue)"
            return reply
        }
        do throws(StorageError) {
            let run = try await workload.start(scene, job)
            if order.isCounting {
                try await count(run, place, &reply)
            } else if let endurance = workload.endurance, let run = run as? SavingRun {
                try await EnduranceRun(
                    endurance: endurance, scene: scene, run: run, saves: order.samples
                ).measure(&reply)
            } else if let rate = order.rate {
                try await warmUp(run, &reply)
                try await OpenLoop(rate: rate).measure(run, samples: order.samples, &reply)
            } else if let run = run as? BesideReadersRun {
                try await warmUp(run, &reply)
                try await run.measure(order, &reply)
            } else {
                try await measure(run, workload, scene, &reply)
                reply.isCold = run.isCold
                reply.remark = run.remark
            }
            if reply.wrong == nil { try await run.finish() }
            try await scene.reopen()
            if reply.wrong == nil, let difference = try await scene.difference() {
                reply.wrong = "after closing and opening, \(difference)"
            }
        } catch {
            if let wrong = WrongAnswer.message(error) {
                reply.wrong = wrong
            } else if error.code == .unsupported {
                reply.unsupported = error.message
            } else {
                reply.failure = "\(error)"
                reply.failureCode = error.code.rawValue
            }
        }
        reply.peakRSSBytes = Resources.peakRSSBytes()
        reply.diskBytes = Resources.diskBytes(of: scene.location)
        return reply
    }

    // MARK: - Times

    private func measure(
        _ run: any WorkloadRun, _ workload: Workload, _ scene: Scene, _ reply: inout JobAnswer
    ) async throws(StorageError) {
        let job = reply.job
        let end = ContinuousClock.now + .milliseconds(order.milliseconds)
        let arms = try FloorArms(workload, job, scene)
        if workload.mostPerRound == nil { try await warmUp(run, &reply) }
        let samples = min(order.samples, workload.mostPerRound ?? .max)
        while reply.operation.count < samples, reply.wrong == nil {
            if reply.operation.count >= Self.leastSamples, ContinuousClock.now > end { return }
            let bytes = try await run.prepare()
            try await arms.measureTurn(run, bytes, &reply)
            reply.wrong = try await run.check()
        }
    }

    /// Runs the operation at least once, at most five times, and only briefly.
    private func warmUp(_ run: any WorkloadRun, _ reply: inout JobAnswer)
        async throws(StorageError)
    {
        let end = ContinuousClock.now + .milliseconds(order.milliseconds / 8)
        for _ in 0..<5 where reply.wrong == nil {
            _ = try await run.prepare()
            try await run.operate()
            reply.wrong = try await run.check()
            if ContinuousClock.now > end { break }
        }
    }

    /// The number of pairs that a job makes, however long they take.
    static let leastSamples = 3

    // MARK: - Counts

    private func count(_ run: any WorkloadRun, _ place: Int, _ reply: inout JobAnswer)
        async throws(StorageError)
    {
        let end = ContinuousClock.now + .milliseconds(order.milliseconds)
        _ = try await run.prepare()
        try await run.operate()
        reply.wrong = try await run.check()
        while reply.bytes.count < order.samples, reply.wrong == nil {
            if !reply.bytes.isEmpty, ContinuousClock.now > end { return }
            _ = try await run.prepare()
            let before = Resources.bytesWritten()
            SyncTrace.mark(.begin, job: place)
            try await run.operate()
            SyncTrace.mark(.end, job: place)
            reply.bytes.append(Resources.bytesWritten() - before)
            reply.wrong = try await run.check()
        }
    }
}

/// Timers of the operation and its floors. Each runs once in every turn, with a changing start.
private struct FloorArms {
    private let floor: Floor
    private let kind: FloorKind?
    private let givesBackMemory: Bool
    /// Whether floor O is measured along with floor A.
    private let overwrites: Bool

    init(_ workload: Workload, _ job: Job, _ scene: Scene) throws(StorageError) {
        floor = scene.floor
        // A save that need not reach the medium is not compared with a floor that does.
        let isSynced = !workload.isSaving || job.durability >= .powerLoss
        kind = isSynced ? workload.floor : nil
        givesBackMemory = workload.happensAtLaunch
        overwrites = kind == .append && workload.isSaving
        switch kind {
        case .decode: floor.prepareDecode(of: scene.window.tabs)
        case .read: try floor.prepareRead(of: job.stateBytes)
        case .append, .store, .list, .copy, .without, nil: break
        }
    }

    func measureTurn(_ run: any WorkloadRun, _ bytes: Int, _ reply: inout JobAnswer)
        async throws(StorageError)
    {
        let content =
            kind == .append
            ? [UInt8](repeating: UInt8(truncatingIfNeeded: bytes), count: bytes) : []
        if overwrites { try floor.prepareOverwrite(of: bytes) }
        let arms = overwrites ? 3 : kind == nil ? 1 : 2
        let first = reply.operation.count % arms
        for turn in 0..<arms {
            if givesBackMemory { Resources.giveBackMemory() }
            switch (first + turn) % arms {
            case 0: reply.operation.append(try await Self.time(run))
            case 1: reply.floor.append(try await time(content, run))
            default: reply.overwrite.append(try timeOverwrite(content))
            }
        }
    }

    private static func time(_ run: any WorkloadRun) async throws(StorageError) -> Int {
        let start = ContinuousClock.now
        try await run.operate()
        return nanoseconds(since: start)
    }

    private func time(
        _ content: [UInt8], _ run: any WorkloadRun
    ) async throws(StorageError) -> Int {
        let start = ContinuousClock.now
        switch kind {
        case .append: try floor.append(content)
        case .decode: _ = floor.decode()
        case .read: _ = try floor.read()
        case .store, .list, .copy, .without: try await run.operateFloor()
        case nil: break
        }
        return Self.nanoseconds(since: start)
    }

    private func timeOverwrite(_ content: [UInt8]) throws(StorageError) -> Int {
        let start = ContinuousClock.now
        try floor.overwrite(content)
        return Self.nanoseconds(since: start)
    }

    private static func nanoseconds(since start: ContinuousClock.Instant) -> Int {
        (ContinuousClock.now - start).nanoseconds
    }
}

extension StorageError {
    /// Whether an error with this code would affect every later step, too.
    static func stopsBench(_ code: String?) -> Bool {
        code == Code.outOfSpace.rawValue || code == Code.permissionDenied.rawValue
    }
}
