import ArgumentParser
import BackendSelection
import BrowserSessions
import CommandLineSupport
import RestorePlans
import ToolSupport

struct Restore: ChangingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract:
            "Brings back what a restore point, a backup or another store has: all of it, a window, or some tabs.",
        discussion: """
            By default everything that is there stays; --replace makes it as it was. --dry-run says what \
            would be done, line by line, and --plan-to also writes it to a file, which --plan applies, or \
            a browser. Before anything changes, a restore point with the name 'before restoring' is taken.
            """)

    @Option(help: "The restore point: the number or name that 'points' prints, or latest.")
    var at: PointArgument?

    @Option(
        help: """
            Bring back from this: a backup or another store, by its path or URL, or JSON that 'export' wrote. \
            --at is then a point of it; without that, it is the present of it.
            """, completion: .file())
    var from: String?

    @Option(
        help: "Only what concerns this session, as 'list' names it.",
        transform: SessionPrefix.init(parsing:))
    var window: SessionPrefix?

    @Option(help: "Only tabs with these words in title or address, and what they are in.")
    var only: String?

    @Flag(help: "Keep what is there (the default), or make everything as it was.")
    var mode: Mode = .merge

    @Option(help: "Leave out these lines, as --dry-run numbers them: 3,5.")
    var without: LineNumbers?

    @Flag(help: "Only say what would be done.")
    var dryRun = false

    @Option(help: "Apply the plan in this file.")
    var plan: String?

    @Option(help: "Write the plan to this new file, and change nothing.")
    var planTo: String?

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    enum Mode: String, EnumerableFlag { case merge, replace }

    struct LineNumbers: ExpressibleByArgument, Sendable {
        var numbers: [Int]

        init?(argument: String) {
            let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
            numbers = parts.compactMap { Int($0) }
            if numbers.count < parts.count { return nil }
        }
    }

    func validate() throws {
        guard plan == nil ? at != nil || from != nil : at == nil else {
            throw ValidationError(
                "name a restore point with --at, a source with --from, or a file with --plan")
        }
        if plan != nil, mode == .replace {
            throw ValidationError("the file of --plan says whether it replaces")
        }
    }

    private var changesNothing: Bool { dryRun || planTo != nil }

    var afterInterruption: String? { "nothing was changed" }

    /// Makes the plan and applies it in one open store, which no bad source and no bad plan gets to.
    /// Opening it takes no restore point, which might take the place of the one that is wanted, and which
    /// `latest` would mean.
    func change() async throws {
        let given = try plan.map { try RestorePlan(encoded: try CommandFile.read($0)) }
        try await RestoreSource.open(from) { source in
            if given == nil { try check(source) }
            var selection = try store.resolve(to: changesNothing ? .look : .change)
            selection.configuration.takesPointAtOpening = false
            try await withOpen(selection) { opened in
                let past = source.store(opened)
                let plan = if let given { given } else { try await makePlan(opened, from: past) }
                try await restore(plan, opened, from: source, past)
            }
        }
    }

    private func restore(
        _ plan: RestorePlan, _ store: any SessionStorage, from source: RestoreSource,
        _ past: any SessionStorage
    ) async throws {
        var plan = plan
        if let window { plan = plan.limited(to: try await sessions(window, plan, past)) }
        if let only { plan = plan.limited(toWords: only) }
        plan.strike(without?.numbers ?? [])
        try write(plan)
        guard !changesNothing else {
            try output.print(plan.answer)
            return try conclude(plan, source)
        }
        let states = source.states(for: plan, in: past)
        let result = try await store.apply(plan, statesFrom: states.store)
        try output.report(result.answer(withoutStates: states.problem))
        try conclude(plan, source)
    }

    /// Ends with 1 if something of the earlier state cannot be read.
    private func conclude(_ plan: RestorePlan, _ source: RestoreSource) throws {
        let problems = plan.unreadable.map(\.description) + source.problems
        guard !problems.isEmpty else { return }
        let place = from.map { "'\($0)'" } ?? "the restore point"
        let hint = source.problems.isEmpty ? "; see 'check'" : ""
        Console.message(
            "not all of \(place) can be read: \(problems.joined(separator: ", "))\(hint)")
        throw ExitCode.damaged
    }

    private func write(_ plan: RestorePlan) throws {
        guard let planTo else { return }
        let file = try NewFile(planTo)
        try file.write(plan.encoded())
        try file.finish()
    }

    private var planMode: RestorePlan.Mode { mode == .replace ? .replace : .merge }

    private func check(_ source: RestoreSource) throws {
        try source.requireWhole(for: planMode)
        guard at != nil, source.isFile else { return }
        throw StorageError(
            .unsupported, "'\(from ?? "")' has no restore points; leave --at out",
            operation: "restore")
    }

    private func makePlan(_ store: any SessionStorage, from past: any SessionStorage) async throws
        -> RestorePlan
    {
        let version = try await at?.point(of: past).id
        return try await store.restorePlan(
            from: past, at: version.map { .point($0) } ?? .current, mode: planMode)
    }

    /// Returns the sessions of the point or of the present that a prefix names, with the parts of a window.
    private func sessions(
        _ prefix: SessionPrefix, _ plan: RestorePlan, _ store: any SessionStorage
    ) async throws -> Set<SessionID> {
        let version = plan.point.map { SessionVersion.point($0.id) } ?? .current
        let session = try await prefix.session(in: store, at: version)
        guard session.kind == .regular else { return [session] }
        let all = plan.lines.flatMap { [$0.now, $0.then].compactMap { $0?.session } }
        return Set(all.filter { $0.window == session.window }).union([session])
    }
}
