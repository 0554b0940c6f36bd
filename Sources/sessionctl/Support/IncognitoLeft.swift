import BrowserSessions
import CommandLineSupport

/// The message about incognito sessions that were not requested.
enum IncognitoLeft {
    static func lines(sessions: Int, tabs: Int) -> [String] {
        guard sessions > 0 else { return [] }
        return [
            """
            left out: \(counted(sessions, "incognito session")) with \(counted(tabs, "tab")); \
            --include-incognito takes them along
            """
        ]
    }
}
