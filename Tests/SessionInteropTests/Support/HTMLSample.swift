import BrowserSessions
import Expectations
import Foundation
import SessionSamples

@testable import SessionInterop

/// Pages of sessions, and what is in one.
enum HTMLSample {
    static let time = SessionSampler.now

    static func page(
        _ sessions: [SessionSnapshot], title: String = "Sessions", losses: [String] = []
    ) throws -> String {
        let bytes = HTMLPage.bytes(of: sessions, title: title, exportedAt: time, losses: losses)
        return try require(String(validating: bytes, as: UTF8.self))
    }

    /// The values of all blocks of one kind.
    static func blocks(_ part: String, of page: String) throws -> [Any] {
        let start = "<script type=\"application/json\" data-part=\"\(part)\">"
        return try page.components(separatedBy: start).dropFirst().map { rest in
            let text = try require(rest.components(separatedBy: "</script>").first)
            return try JSONSerialization.jsonObject(
                with: Data(text.utf8), options: .fragmentsAllowed)
        }
    }

    /// What stands between two texts, the first time.
    static func part(of page: String, from start: String, to end: String) throws -> String {
        let rest = try require(page.components(separatedBy: start).dropFirst().first)
        return try require(rest.components(separatedBy: end).first)
    }
}

extension HTMLPage {
    /// Returns the whole page of sessions, in their order.
    static func bytes(
        of sessions: [SessionSnapshot], title: String, exportedAt: Timestamp,
        losses: [String] = [], lossesOfSessions: [String] = []
    ) -> [UInt8] {
        var page = HTMLPage(title: title, exportedAt: exportedAt, losses: losses)
        for session in sessions {
            var exported = ExportedSession(
                session.id, session.attributes, FlatTabList(session), place: nil, isSpace: false)
            exported.losses = lossesOfSessions
            var counts = ExportLosses(format: .html)
            for tab in session.tabs {
                exported.add(tab, isDamaged: false, for: .html, &counts)
            }
            page.add(exported)
        }
        return page.finish()
    }
}
