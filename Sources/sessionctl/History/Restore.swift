import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Restore: ChangingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings back what a restore point has: all of it, a window, or some tabs.",
        discussion: """
            By default everything that is there stays; --replace makes it as it was. --dry-run says what \
            would be done, line by line, and --plan-to also writes it to a file, which --plan applies, or \
            a browser. Before anything changes, a restore point with the name 'before restoring' is taken.
            """)

    @Option(help: "The restore point: the number that 'points' prints, or latest.")
    var at: PointArgument?

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
        guard (at == nil) != (plan == nil) else {
            throw ValidationError("name a restore point with --at, or a file with --plan")
        }
        if plan != nil, mode == .replace {
            throw ValidationError("the file of --plan says whether it replaces")
        }
    }

    private var changesNothing: Bool { dryRun || planTo != nil }

    func change() async throws {
        try await interruptible("restore", "nothing was changed") {
            try await restore()
        }
    }

    /// Makes the plan on a look, and uses the states there: opening the store to change it takes a restore
    /// point, perhaps in place of the one that is wanted.
    private func restore() async throws {
        let selection = try store.resolve(to: .change)
        let opened =
            changesNothing
            ? try await selection.openBesideOwner(to: .look) : try await selection.open(to: .look)
        try await opened.whileOpen { look in
            var plan = try await makePlan(look)
            if let window { plan = plan.limited(to: try await sessions(window, plan, look)) }
            if let only { plan = plan.limited(toWords: only) }
            plan.strike(without?.numbers ?? [])
            try write(plan)
            guard !changesNothing else {
                let shown = ShownPlan(plan)
                try output.print(shown, rows: shown.lines, text: PlanText(plan).lines)
                return try conclude(plan)
            }
            let result = try await withOpen(selection) { store in
                try await store.apply(plan, statesFrom: look)
            }
            try output.report(ShownRestore(result), text: PlanText.lines(result))
            try conclude(plan)
        }
    }

    /// Ends with 1 if something of the point cannot be read.
    private func conclude(_ plan: RestorePlan) throws {
        guard !plan.unreadable.isEmpty else { return }
        let sessions = plan.unreadable.map(\.description).joined(separator: ", ")
        Console.message("not all of the restore point can be read: \(sessions); see 'check'")
        throw ExitCode.damaged
    }

    private func write(_ plan: RestorePlan) throws {
        guard let planTo else { return }
        let file = try NewFile(planTo)
        try file.write(plan.encoded())
        try file.finish()
    }

    private func makePlan(_ store: any SessionStorage) async throws -> RestorePlan {
        if let plan { return try RestorePlan(encoded: try CommandFile.read(plan)) }
        guard let at else { throw ValidationError("name a restore point with --at") }
        let point = try await at.point(of: store)
        return try await store.restorePlan(
            at: point.id, mode: mode == .replace ? .replace : .merge)
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
