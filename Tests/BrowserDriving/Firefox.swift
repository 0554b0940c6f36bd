import Foundation

/// A Firefox without a display, driven over Marionette by scripts that run in the browser itself.
public final class Firefox: DrivenBrowser {
    private let process: BrowserProcess
    private let marionette: Marionette

    /// Where the program is; `nil` if it is not installed.
    public static let program = ["/usr/bin/firefox-esr", "/usr/bin/firefox"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Starts it, and returns when it can be asked. It opens what it had open when it ended, and
    /// reaches nothing but loopback.
    ///
    /// - Parameter profile: a folder, which is made if there is none.
    public init(profile: String) throws {
        guard let program = Self.program else { throw DrivingError("firefox is not installed") }
        try FileManager.default.createDirectory(
            atPath: profile, withIntermediateDirectories: true)
        try Data(Self.preferences.utf8).write(to: URL(filePath: profile + "/user.js"))
        let process = try BrowserProcess(
            program,
            [
                "--headless", "--no-remote", "--profile", profile, "-marionette",
                "-remote-allow-system-access",
            ],
            home: profile + "-home")
        self.process = process
        guard let port = process.output.number(behind: "Marionette\tINFO\tListening on port ")
        else { throw DrivingError("Firefox listens nowhere: \(process.condition)") }
        marionette = try Marionette(port: port) { process.condition }
    }

    /// The product and version, as it names itself.
    public var version: String {
        get throws {
            try evaluate("return `${Services.appinfo.name} ${Services.appinfo.version}`")
        }
    }

    /// Ends it in order, and returns when it has ended.
    public func close() throws {
        try marionette.quit()
        process.waitUntilExit()
    }

    /// Kills it, as a crash would.
    public func kill() { process.kill() }

    /// Opens windows with tabs, and closes what is there.
    public func open(_ browser: LiveBrowser) throws {
        let text = String(decoding: try JSONEncoder().encode(browser), as: UTF8.self)
        let _: Bool = try evaluate("return (\(Self.opening))(\(text));")
    }

    /// What it has open, as soon as there are so many tabs, or after 20 s what there is then.
    public func state(tabs count: Int) throws -> LiveBrowser {
        try evaluate("return (\(Self.looking))(\(count));")
    }

    public func recentlyClosed() throws -> [[String]] {
        try evaluate(
            """
            const shown = ({ entries, index }) => entries[index - 1].url;
            return SessionStore.getClosedWindowData().map(({ tabs }) => tabs.map(shown)).concat(
                SessionStore.getClosedTabDataForWindow(window).map(({ state }) => [shown(state)]));
            """)
    }

    /// Runs the body of an asynchronous function in the browser, which may use `gBrowser` and the
    /// like.
    public func evaluate<Answer: Decodable>(_ body: String, as type: Answer.Type = Answer.self)
        throws -> Answer
    {
        try marionette.evaluate(body)
    }

    private static let preferences = """
        user_pref("app.update.auto", false);
        user_pref("browser.aboutwelcome.enabled", false);
        user_pref("browser.sessionstore.interval", 1000);
        user_pref("browser.sessionstore.resume_from_crash", true);
        user_pref("browser.shell.checkDefaultBrowser", false);
        user_pref("browser.startup.homepage_override.mstone", "ignore");
        user_pref("browser.startup.page", 3);
        user_pref("datareporting.policy.dataSubmissionEnabled", false);
        user_pref("marionette.port", 0);
        user_pref("network.captive-portal-service.enabled", false);
        user_pref("network.connectivity-service.enabled", false);
        user_pref("network.dns.disabled", true);
        user_pref("toolkit.startup.max_resumed_crashes", -1);

        """
}
