import BrowserSessions
import CommandLineSupport
import SessionSamples
import StorageEngines

/// The work of a child: all jobs of an order on one store. Each job ends with closing and opening
/// the store, and a comparison.
struct JobWorker {
    let order: JobOrder
    let contestant: Contestant
    /// The cache that workloads drop to open a store without it.
    var pageCache = PageCache.system

    /// Runs the jobs. After a wrong answer or an error, the next job gets a new store. Without
    /// space or permission, the remaining jobs get no answer.
    ///
    /// - Parameter answer: receives each answer as soon as it is ready.
    func run(_ answer: (JobAnswer) -> Void) async throws(StorageError) {
        var scene = try await makeScene(order.folder)
        for place in order.jobs.indices {
            let reply = await perform(place, scene)
            answer(reply)
            if StorageError.stopsBench(reply.failureCode) { return }
            if reply.isSound { continue }
            try? await scene.close()
            let folder = order.folder(after: place)
            try FileSystem.makeDirectories(folder)
            scene = try await makeScene(folder)
        }
        try await scene.close()
    }

    private func makeScene(_ folder: String) async throws(StorageError) -> Scene {
        // Numbers of written and synced bytes do not depend on what is in memory.
        try await Scene(
            contestant, tabs: order.tabs, seed: order.seed, folder: folder,
            pageCache: order.isCounting ? .kept : pageCache)
    }

    private func perform(_ place: Int, _ scene: Scene) async -> JobAnswer {
        var reply = JobAnswer(job: order.jobs[place])
        do {
            try await perform(place, scene, &reply)
        } catch let wrong as WrongAnswer {
            reply.wrong = wrong.message
        } catch {
            if let error = error.ofStorage, error.code == .unsupported {
                reply.unsupported = error.message
            } else {
                reply.failure = "\(error)"
                reply.failureCode = error.ofStorage?.code.rawValue
            }
        }
        return reply
    }

    private func perform(
        _ place: Int, _ scene: Scene, _ reply: inout JobAnswer
    ) async throws {
        let job = order.jobs[place]
        guard let workload = Workload.named(job.workload) else {
            throw StorageError(.failed, "there is no workload '\(job.workload)'")
        }
        try scene.require(
            scene.store.traits.durability.contains(job.durability) || !workload.isSaving,
            "saves do not reach .\(job.durability.rawValue)")
        (scene.isCold, scene.logicalBytes) = (nil, 256)
        let operation = try await workload.start(scene, job)
        reply.remark = operation.remark
        if order.isCounting {
            try await count(operation, place, &reply)
        } else if let measure = operation.measure {
            try await measure(order, &reply)
        } else {
            try await measure(operation, workload, scene, &reply)
        }
        if !order.isCounting { reply.isCold = scene.isCold }
        try await operation.finish()
        try await scene.reopen()
        try await scene.check()
    }

    // MARK: - Times

    private func measure(
        _ operation: Operation, _ workload: Workload, _ scene: Scene, _ reply: inout JobAnswer
    ) async throws {
        let end = ContinuousClock.now + .milliseconds(order.milliseconds)
        let arms = try FloorArms(workload, reply.job, scene)
        if workload.mostPerRound == nil { try await warmUp(operation) }
        while reply.operation.count < min(order.samples, workload.mostPerRound ?? .max) {
            if reply.operation.count >= JobOrder.leastSamples, ContinuousClock.now > end { return }
            try await operation.prepare()
            try await arms.measureTurn(operation, &reply)
            try await operation.check()
        }
    }

    /// Runs the operation at least once, at most five times, and only briefly.
    private func warmUp(_ operation: Operation) async throws {
        let end = ContinuousClock.now + .milliseconds(order.milliseconds / 8)
        for _ in 0..<5 {
            _ = try await operation.timed()
            try await operation.check()
            if ContinuousClock.now > end { break }
        }
    }

    // MARK: - Counts

    private func count(
        _ operation: Operation, _ place: Int, _ reply: inout JobAnswer
    ) async throws {
        let end = ContinuousClock.now + .milliseconds(order.milliseconds)
        _ = try await operation.timed()
        try await operation.check()
        while reply.bytes.count < order.samples {
            if !reply.bytes.isEmpty, ContinuousClock.now > end { return }
            try await operation.prepare()
            let before = Resources.bytesWritten()
            SyncTrace.mark(.begin, job: place)
            try await operation.perform()
            SyncTrace.mark(.end, job: place)
            reply.bytes.append(Resources.bytesWritten() - before)
            try await operation.check()
        }
    }
}

/// Timers of the operation and its floors. Each runs once in every turn, with a changing start.
private struct FloorArms {
    private let scene: Scene
    private let kind: FloorKind?
    private let givesBackMemory: Bool
    /// Whether floor O is measured along with floor A.
    private let overwrites: Bool

    init(_ workload: Workload, _ job: Job, _ scene: Scene) throws(StorageError) {
        self.scene = scene
        // A save that need not reach the medium is not compared with a floor that does.
        let isSynced = !workload.isSaving || job.durability >= .powerLoss
        kind = isSynced ? workload.floor : nil
        givesBackMemory = workload.happensAtLaunch
        overwrites = kind == .append && workload.isSaving
        if kind == .decode { scene.floor.prepareDecode(of: scene.window.tabs) }
        if kind == .read { try scene.floor.prepareRead(of: job.stateBytes) }
    }

    func measureTurn(_ operation: Operation, _ reply: inout JobAnswer) async throws {
        let bytes = scene.logicalBytes
        let content =
            kind == .append
            ? [UInt8](repeating: UInt8(truncatingIfNeeded: bytes), count: bytes) : []
        if overwrites { try scene.floor.prepareOverwrite(of: bytes) }
        let times: [WritableKeyPath<JobAnswer, [Int]>] = [\.operation, \.floor, \.overwrite]
        let arms = overwrites ? 3 : kind == nil ? 1 : 2
        let first = reply.operation.count % arms
        for turn in 0..<arms {
            if givesBackMemory { Resources.giveBackMemory() }
            let arm = (first + turn) % arms
            let start = ContinuousClock.now
            switch arm {
            case 0: try await operation.perform()
            case 1: try await performFloor(content, operation)
            default: try scene.floor.overwrite(content)
            }
            let time = (ContinuousClock.now - start).nanoseconds
            reply[keyPath: times[arm]].append(time)
        }
    }

    private func performFloor(_ content: [UInt8], _ operation: Operation) async throws {
        switch kind {
        case .append: try scene.floor.append(content)
        case .decode: _ = scene.floor.decode()
        case .read: _ = try scene.floor.read()
        case .overwrite, .store, .list, .copy, .without, nil: try await operation.performFloor()
        }
    }
}

extension StorageError {
    /// Whether an error with this code would affect every later step, too.
    static func stopsBench(_ code: String?) -> Bool {
        code == Code.outOfSpace.rawValue || code == Code.permissionDenied.rawValue
    }
}
