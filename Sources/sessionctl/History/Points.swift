import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Points: LookingCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Lists the restore points, newest first: their size, when, how many tabs, and why.",
        discussion: """
            The numbers are what 'diff', 'show --at' and 'restore --at' take. The size is what goes when the \
            point alone is released; what several points share is in 'du'.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        let points = try await store.withStore(to: .look) { store in
            let bytes = try await store.readableRestorePointBytes()?.released
            return try await store.restorePoints().map { ShownPoint($0, bytes: bytes?[$0.id]) }
        }
        try output.print(points, rows: points, text: ShownPoint.lines(points))
    }
}

/// A restore point, as printed.
private struct ShownPoint: Encodable {
    var point: String
    var takenAt: String?
    var reason: String
    var name: String
    var isPinned: Bool
    /// The number of open tabs.
    var tabs: Int
    /// The number of tabs that were about to go at once.
    var lostTabs: Int
    /// What goes when the point is released; `nil` if it cannot be read.
    var bytes: Int?
    private var text: String

    private enum CodingKeys: String, CodingKey {
        case point, takenAt, reason, name, isPinned, tabs, lostTabs, bytes
    }

    init(_ point: RestorePoint, bytes: Int?) {
        self.bytes = bytes
        self.point = point.id.description
        takenAt = point.takenAt.iso
        reason = point.reason.rawValue
        name = point.name
        isPinned = point.isPinned
        tabs = point.tabCount
        lostTabs = point.lostTabCount
        text = point.text()
    }

    static func lines(_ points: [ShownPoint]) -> [String] {
        if points.isEmpty { return ["no restore points"] }
        var table = TextTable([
            .init(isNumber: true), .init(isNumber: true), .init(least: 20),
        ])
        for point in points {
            table.add([point.point, point.bytes.map(ByteWords.words) ?? "-", point.text])
        }
        return table.lines
    }
}

extension SessionStorage {
    /// Returns what restore points take; `nil` if damage keeps that from being read, which 'check' reports.
    func readableRestorePointBytes() async throws(StorageError) -> RestorePointBytes? {
        do throws(StorageError) { return try await restorePointBytes() } catch {
            guard error.code == .corrupted else { throw error }
            return nil
        }
    }
}
