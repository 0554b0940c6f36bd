import ArgumentParser
import BrowserSessions
import CommandLineSupport
import RestorePlans
import ToolSupport

struct Find: LookingCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Says where a tab is, or when it was seen last.",
        discussion: """
            Looks through open, inactive, closed and set-aside tabs and all restore points. All words \
            have to be in the title or the address, in any order; case and accents make no difference. \
            Exit code 2 if nothing is found.
            """)

    @Argument(help: "The words; write several in quotation marks.")
    var words: String

    @OptionGroup var store: StoreArguments
    @OptionGroup var output: FormatArguments

    func look() async throws {
        guard !TabSearch(words).isEmpty else { throw ValidationError("there are no words to find") }
        var table = TextTable(
            [.init(least: 12), .init(least: 16), .init(least: 16)], ifEmpty: "nothing was found")
        let losses = try await store.tellingLosses(
            isPartial: true, reading: .nothing, incognito: false
        ) { store, tell in
            let sessions = try await store.sessions().filter { $0.partition == .regular }
            for loss in try await store.restore(sessions).flatMap(\.losses) { tell?(loss) }
            for hit in try await store.find(words) { table.add(hit.row) }
        }
        try output.print(Answer(table))
        try losses.conclude()
        if table.rows.isEmpty { throw ExitCode.impossible }
    }
}

extension FoundTab {
    /// Where it is: in JSON `open`, `inactive`, `closed-window`, `closed`, `set-aside` or `gone`, with the
    /// newest restore point that has it if no session has it any more.
    fileprivate var row: TextTable.Row {
        let title = tab.name.isEmpty ? tab.title : tab.name
        return TextTable.Row(
            [
                "id": "\(tab.id)", "title": title, "url": tab.url, "place": place.rawValue,
                "session": "\(session)", "sessionTitle": sessionTitle,
                "lastActiveAt": tab.lastActiveAt.iso, "point": (lastSeen?.point.id).map { "\($0)" },
                "lastSeenAt": lastSeen?.point.takenAt.iso, "goneBy": lastSeen?.goneBy?.takenAt.iso,
                "cause": lastSeen?.cause.rawValue,
            ] as Fields, [title.isEmpty ? "-" : title, tab.url, text])
    }

    private var text: String {
        let session = sessionTitle.isEmpty ? "\(session)" : sessionTitle
        guard let seen = lastSeen else {
            let words: [Place: String] = [
                .open: "open", .inactive: "not used for long", .closedWindow: "in a closed window",
                .closed: "closed", .setAside: "set aside",
            ]
            return "\(words[place] ?? place.rawValue), in \(session)"
        }
        let cause =
            switch seen.cause {
            case .loss: "; it went with many others"
            case .closed: "; it was closed"
            default: ""
            }
        return "seen last \(TimeWords().words(seen.point.takenAt)) in \(session), point "
            + "\(seen.point.id)\(cause)"
    }
}
