import BrowserSessions
import ChildProcesses
import Foundation
import SessionSamples
import StorageEngines

/// Runs processes over a store and records what they do to its files, cuts the power at every
/// moment of the record, and checks what is left.
struct PowerLab {
    let context: CaseContext
    let model: DiskModel
    let location: String
    private(set) var sets = NumberedSets(stateBytes: 2000, wanders: true)
    private var generator: SeededGenerator
    /// The digests of judged states; each state is judged once.
    private var digests: Set<Int> = []
    private var cuts = 0
    private var kills = 0
    private var wrong = WrongStates()

    /// A disk between two lives, and their progress.
    struct Moment {
        var disk: SimulatedDisk
        var progress = SaveProgress()
    }

    /// The record of a process.
    struct Recording {
        let start: Moment
        let actions: [DiskTrace.Action]
        /// Whether it was killed.
        let isKilled: Bool

        var end: Moment {
            var moment = start
            for action in actions { moment.apply(action) }
            return moment
        }
    }

    /// - Parameters:
    ///   - location: the location of the store; `nil` for a new one.
    ///   - pointsEach: see ``NumberedSets/pointsEach``.
    init(
        _ context: CaseContext, _ model: DiskModel, location: String? = nil, pointsEach: Int? = nil
    ) async throws {
        sets.pointsEach = pointsEach
        self.context = context
        self.model = model
        generator = context.generator
        if let location {
            self.location = location
        } else {
            self.location = try await context.makeLocation()
        }
    }

    // MARK: - Recording

    /// Where a process starts.
    enum Beginning {
        case nothing
        /// After an earlier process; the kernel still has what it wrote.
        case recording(Recording)
        /// After a power cut.
        case image(DiskImage, SaveProgress)
    }

    /// Runs a process.
    ///
    /// - Returns: its record; `nil` if the process itself found something wrong, which is noted.
    mutating func record(_ life: RecordedLife, after beginning: Beginning = .nothing) async throws
        -> Recording?
    {
        var life = life
        life.stateBytes = sets.stateBytes
        life.pointsEach = sets.pointsEach
        let text = String(decoding: try JSONEncoder().encode(life), as: UTF8.self)
        return try await record(
            Worker.recordedLife, ["life": text], after: beginning,
            isCutOff: life.earlyFault?.effect == .cutOff)
    }

    /// Does the same for any worker that begins a trace.
    mutating func record(
        _ worker: Worker, _ options: [String: String] = [:], after beginning: Beginning = .nothing,
        isCutOff: Bool = false
    ) async throws -> Recording? {
        let start = try moment(of: beginning)
        let process = try await RecordedProcess(
            worker, of: context, at: location, options: options)
        let isKilled = process.end == .signal(SIGKILL)
        if let error = process.lines.first(where: { $0.hasPrefix("error ") }) {
            wrong.note("a process that opens the store: \(error.dropFirst("error ".count))")
            return nil
        }
        guard isKilled || process.end == .exited(0) else {
            throw Violation("the saving process \(process.end): \(process.lastWords)")
        }
        let actions = process.trace.actions
        try require(
            isKilled || start.disk.hasFiles || !actions.isEmpty,
            "the store writes no files that can be followed")
        let recording = Recording(start: start, actions: actions, isKilled: isKilled)
        // A file system that was cut off cannot be read.
        if !isCutOff { try recording.end.disk.requireToBeWhatLies(at: location) }
        return recording
    }

    private func moment(of beginning: Beginning) throws -> Moment {
        switch beginning {
        case .recording(let recording): return recording.end
        case .nothing:
            try FileSystem.remove(location)
            return Moment(disk: SimulatedDisk(model))
        case .image(let image, let progress):
            try place(image)
            let folder = FileSystem.parent(of: location)
            return Moment(
                disk: try SimulatedDisk(model, image) {
                    try DiskImage.number("\(folder)/\($0)")
                }, progress: progress)
        }
    }

    /// Replaces the content of the location with an image.
    func place(_ image: DiskImage) throws {
        try FileSystem.remove(location)
        try image.write(to: FileSystem.parent(of: location))
    }

    /// Begins a new trial. Its random choices do not depend on how many calls processes made
    /// before, which differs from run to run.
    ///
    /// - Parameter stateBytes: the size of the states from now on.
    mutating func begin(_ number: Int, stateBytes: Int? = nil) {
        if let stateBytes { sets.stateBytes = stateBytes }
        generator = SeededGenerator(seed: context.seed &* 1_000_003 &+ UInt64(number))
    }

    /// Returns a random number for the time of an event.
    mutating func anyNumber(upTo most: Int) -> Int { generator.integer(in: 1...most) }

    // MARK: - Cutting

    /// Cuts the power at moments of a recording, and judges what is left.
    ///
    /// - Parameters:
    ///   - most: the approximate number of states to try.
    ///   - first: the first action after which the power is cut.
    ///   - judge: checks the remains, and throws a ``Violation`` if they are wrong; `nil` for
    ///     numbered sets.
    mutating func cut(
        _ recording: Recording, most: Int, from first: Int = 0, judging judge: Judge? = nil
    ) async throws {
        let count = recording.actions.count
        let cuts = CutPlan(
            recording.actions, from: recording.start.disk, most: most,
            pieces: context.amount(3, full: 4, long: 6), &generator
        ).cuts
        var moment = recording.start
        for (index, action) in recording.actions.enumerated() {
            moment.apply(action)
            guard index >= first, !moment.disk.isFlushed || index == count - 1 else { continue }
            for cut in cuts[index] ?? [] {
                let place = "after action \(index + 1) of \(count), when \(cut)"
                try await self.judge(moment, cut, place, judge)
            }
        }
    }

    /// Cuts the power right after writes, and destroys a sector before or after the last write.
    mutating func destroyNeighbors(
        in recording: Recording, most: Int, judging judge: TellingJudge
    ) async throws {
        var moment = recording.start
        let writes = recording.actions.count {
            if case .write = $0 { true } else { false }
        }
        for (index, action) in recording.actions.enumerated() {
            moment.apply(action)
            guard case .write(let node, let offset, let bytes) = action,
                generator.chance(most, in: max(most, writes))
            else { continue }
            let size = SimulatedFile.sectorSize
            let isBefore = generator.chance(1, in: 2)
            let sector = isBefore ? offset / size - 1 : (offset + bytes.count - 1) / size + 1
            var image = moment.disk.image(after: .everything)
            guard let path = moment.disk.path(of: node), image.destroy(sector, of: path) else {
                continue
            }
            var progress = moment.progress
            progress.losePower()
            let place =
                "after action \(index + 1), sector \(sector) of '\(path)' destroyed"
            try await self.judge(image, progress, isKill: false, place, judge.judge)
        }
    }

    /// Returns the remains of a cut at any moment of a recording.
    mutating func anyCut(of recording: Recording) -> Beginning {
        let count = generator.integer(in: 1...recording.actions.count)
        var moment = recording.start
        for action in recording.actions.prefix(count) { moment.apply(action) }
        moment.progress.losePower()
        return .image(moment.disk.image(after: .sample(generator.next())), moment.progress)
    }

    // MARK: - Judging

    typealias Judge = (SaveProgress) async throws -> Void

    private mutating func judge(
        _ moment: Moment, _ cut: PowerCut, _ place: String, _ judge: Judge?
    ) async throws {
        var progress = moment.progress
        if cut != .kill { progress.losePower() }
        try await self.judge(
            moment.disk.image(after: cut), progress, isKill: cut == .kill, place, judge)
    }

    private mutating func judge(
        _ image: DiskImage, _ progress: SaveProgress, isKill: Bool, _ place: String,
        _ judge: Judge?
    ) async throws {
        var hasher = Hasher()
        hasher.combine(image.digest)
        hasher.combine(progress)
        guard digests.insert(hasher.finalize()).inserted else { return }
        if isKill { kills += 1 } else { cuts += 1 }
        try self.place(image)
        context.trying(place)
        do {
            if let judge { try await judge(progress) } else { _ = try await check(progress) }
        } catch let violation as Violation {
            wrong.note(violation.message, place, image)
        }
    }

    /// Returns the sets that cuts at a moment leave, with `nil` if one leaves something wrong.
    func found(after cuts: [PowerCut], at moment: Moment) async throws -> Set<Int?> {
        var found: Set<Int?> = []
        for cut in cuts {
            try place(moment.disk.image(after: cut))
            do {
                found.insert(try await check(moment.progress))
            } catch is Violation {
                found.insert(nil)
            }
        }
        return found
    }

    /// Judges remains that do not come from a simulation.
    ///
    /// - Returns: the last set that is there; `nil` if something is wrong.
    mutating func judge(_ progress: SaveProgress, _ place: String) async throws -> Int? {
        cuts += 1
        do {
            return try await check(progress)
        } catch let violation as Violation {
            wrong.note(violation.message, place)
            return nil
        }
    }

    private func check(_ progress: SaveProgress) async throws -> Int {
        try await SetsJudge(sets: sets) { try await context.open(location) }.judge(progress)
    }

    // MARK: - Telling

    /// A description of the first finding.
    var firstFinding: String? { wrong.first }

    /// Plays numbered rounds in a laboratory of their own, as many as the depth asks for, and concludes.
    static func play(
        _ context: CaseContext, _ model: DiskModel, rounds: Int, full: Int, long: Int,
        _ round: (inout PowerLab, Int) async throws -> Void
    ) async throws {
        var lab = try await PowerLab(context, model)
        for number in 1...context.amount(rounds, full: full, long: long) {
            lab.begin(number)
            try await round(&lab, number)
        }
        try lab.conclude()
    }

    /// Throws a ``Violation`` if anything was wrong, and leaves the first such state at the
    /// location, as it was before it was opened.
    func conclude() throws {
        context.note("\(cuts) states after power cuts (\(model.rawValue)), \(kills) after kills")
        if let image = wrong.firstImage { try place(image) }
        try wrong.conclude(of: cuts + kills)
        guard cuts > 0 else { throw NotTried("no cut had anything to leave or to take") }
    }
}

extension PowerLab.Moment {
    mutating func apply(_ action: DiskTrace.Action) {
        disk.apply(action)
        if case .note(let note) = action { progress.note(note) }
    }
}
