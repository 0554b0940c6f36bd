import ArgumentParser
import BrowserSessions
import CommandLineSupport
import ToolSupport

struct Find: LookingCommand {
    static let configuration = CommandConfiguration(
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
        var found: [ShownHit] = []
        let losses = try await store.tellingLosses(
            isPartial: true, reading: .nothing, incognito: false
        ) { store, tell in
            let sessions = try await store.sessions().filter { $0.partition == .regular }
            for loss in try await store.restore(sessions).flatMap(\.losses) { tell?(loss) }
            found = try await store.find(words).map(ShownHit.init)
        }
        try output.print(found, rows: found, text: ShownHit.lines(found))
        try losses.conclude()
        if found.isEmpty { throw ExitCode.impossible }
    }
}

/// A tab that was found, as printed.
private struct ShownHit: Encodable {
    var id: String
    var title: String
    var url: String
    /// Where it is: `open`, `inactive`, `closed-window`, `closed`, `set-aside` or `gone`.
    var place: String
    var session: String
    var sessionTitle: String
    var lastActiveAt: String?
    /// The newest restore point that has it, if no session has it any more.
    var point: String?
    var lastSeenAt: String?
    var goneBy: String?
    var cause: String?
    private var text: String

    private enum CodingKeys: String, CodingKey {
        case id, title, url, place, session, sessionTitle, lastActiveAt, point, lastSeenAt, goneBy
        case cause
    }

    init(_ hit: FoundTab) {
        id = hit.tab.id.description
        title = hit.tab.name.isEmpty ? hit.tab.title : hit.tab.name
        url = hit.tab.url
        place = hit.place.rawValue
        session = hit.session.description
        sessionTitle = hit.sessionTitle
        lastActiveAt = hit.tab.lastActiveAt.iso
        point = hit.lastSeen?.point.id.description
        lastSeenAt = hit.lastSeen.flatMap { $0.point.takenAt.iso }
        goneBy = hit.lastSeen?.goneBy.flatMap { $0.takenAt.iso }
        cause = hit.lastSeen?.cause.rawValue
        text = Self.text(hit)
    }

    private static func text(_ hit: FoundTab) -> String {
        let session = hit.sessionTitle.isEmpty ? hit.session.description : hit.sessionTitle
        guard let seen = hit.lastSeen else {
            let words: [FoundTab.Place: String] = [
                .open: "open", .inactive: "not used for long", .closedWindow: "in a closed window",
                .closed: "closed", .setAside: "set aside",
            ]
            return "\(words[hit.place] ?? hit.place.rawValue), in \(session)"
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

    static func lines(_ hits: [ShownHit]) -> [String] {
        if hits.isEmpty { return ["nothing was found"] }
        var table = TextTable([.init(least: 12), .init(least: 16), .init(least: 16)])
        for hit in hits { table.add([hit.title.isEmpty ? "-" : hit.title, hit.url, hit.text]) }
        return table.lines
    }
}
