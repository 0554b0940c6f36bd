import ArgumentParser
import BrowserSessions
import CommandLineSupport
import SessionInterop
import ToolSupport

struct Points: LookingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the restore points, newest first: when, how many tabs, and why.",
        discussion: "The numbers are what 'diff', 'show --at' and 'restore --at' take.")

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        var points: [ShownPoint] = []
        let losses = try await store.tellingLosses(
            isPartial: true, reading: .nothing, incognito: false, used: .previous
        ) { store, tell in
            var next = try await OpenTabs(of: store, at: .current, nil)
            let progress = Progress("reading", "point")
            defer { progress.finish() }
            let all = try await store.restorePoints()
            for (number, point) in all.enumerated() {
                let tabs = try await OpenTabs(of: store, at: .point(point.id), tell)
                points.append(ShownPoint(point, tabs, next))
                next = tabs
                progress.update(number + 1, of: all.count)
            }
        }
        try output.print(points, rows: points, text: ShownPoint.lines(points))
        try losses.conclude()
    }
}

/// The tabs of a state that the user had open.
private struct OpenTabs {
    /// `nil` if they cannot be read.
    private(set) var tabs: Set<TabID>?
    private(set) var sessions = 0

    init(of store: any SessionStorage, at version: SessionVersion, _ tell: LossHandler?)
        async throws
    {
        do throws(StorageError) {
            let ids = try await store.sessions(at: version).filter {
                $0.partition == .regular && [.window, .companion, .library].contains($0.kind.role)
            }
            let restored = try await store.restore(ids, at: version).filter {
                $0.attributes.closedAt == nil && $0.id.kind != .backup
            }
            for loss in restored.flatMap(\.losses) { tell?(loss) }
            tabs = Set(restored.flatMap(\.tabs).map(\.id))
            sessions = restored.count { $0.id.kind.role == .window }
        } catch {
            guard error.code == .corrupted else { throw error }
            tell?(Loss(.unknownRecords, detail: error.message))
        }
    }
}

/// A restore point, as printed.
private struct ShownPoint: Encodable {
    var point: String
    var takenAt: String?
    var reason: String
    var name: String
    var isPinned: Bool
    /// The numbers of open windows and of their tabs; `nil` if they cannot be read.
    var windows: Int?
    var tabs: Int?
    /// The number of tabs that were not open any more at the next point.
    var tabsGoneAfter: Int?
    private var moment: String

    private enum CodingKeys: String, CodingKey {
        case point, takenAt, reason, name, isPinned, windows, tabs, tabsGoneAfter
    }

    init(_ point: RestorePoint, _ state: OpenTabs, _ next: OpenTabs) {
        self.point = point.id.description
        takenAt = MomentText.iso(point.takenAt)
        moment = MomentText.text(point.takenAt)
        reason = point.reason.rawValue
        name = point.name
        isPinned = point.isPinned
        tabs = state.tabs?.count
        windows = state.tabs == nil ? nil : state.sessions
        if let now = state.tabs, let then = next.tabs {
            tabsGoneAfter = now.subtracting(then).count
        }
    }

    /// Such as `today 14:00 · 212 tabs · before 180 tabs went at once`.
    private var text: String {
        var words = [moment, tabs.map { counted($0, "tab") } ?? "tabs that cannot be read"]
        switch RestorePoint.Reason(rawValue: reason) {
        case .opening: words.append("as the store was opened")
        case .beforeLoss:
            words.append("before \(counted(tabsGoneAfter ?? 0, "tab")) went at once")
        case .interval, .named: break
        default: words.append(reason)
        }
        if !name.isEmpty { words.append("'\(name)'") }
        if isPinned { words.append("pinned") }
        return words.joined(separator: " · ")
    }

    static func lines(_ points: [ShownPoint]) -> [String] {
        if points.isEmpty { return ["no restore points"] }
        var table = TextTable([.init(isNumber: true), .init(least: 20)])
        for point in points { table.add([point.point, point.text]) }
        return table.lines
    }
}
