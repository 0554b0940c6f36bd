import BrowserSessions
import CommandLineSupport

extension Console {
    /// Says how many incognito sessions were not requested.
    static func remarkIncognitoLeft(sessions: Int, tabs: Int) {
        guard sessions > 0 else { return }
        remark(
            """
            left out: \(counted(sessions, "incognito session")) with \(counted(tabs, "tab")); \
            --include-incognito takes them along
            """)
    }
}
