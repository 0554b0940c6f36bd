public import BrowserModel

/// An engine binding under test, with everything that a user, its pages, and time do to it.
///
/// A subject returns `false` or `nil` for what it cannot do. The requirements that need it are then
/// not applicable, and the table says so.
public protocol EngineSubject: AnyObject {
    /// The type of the engine under test.
    associatedtype Engine: WebEngine

    /// The clock of the delays; a real engine has the system's.
    var clock: any Clock<Duration> { get }

    /// Makes the engine that a new process would have, over the same servers and the same disk.
    func makeEngine() throws -> Engine

    /// Returns the address that serves a page.
    func address(of page: TestPage) -> String

    /// Lets everything run until the condition holds, or for as long as a person would wait.
    func wait(until condition: () -> Bool) async

    /// Lets the duration pass.
    func passTime(_ duration: Duration) async

    /// Makes a view that belongs to no tab, with the page loaded; `nil` if that is impossible.
    func makeLooseView(_ page: TestPage, with engine: Engine) async -> Engine.View?

    /// Scrolls the page, as a user does, to a position in pixels from the top.
    func scroll(_ view: Engine.View, of engine: Engine, to position: Int) async

    /// Returns the scroll position that the page itself reports.
    func scrollPosition(_ view: Engine.View) async -> Int?

    /// Sets a cookie from the page, as a name and a value: `a=1`.
    func setCookie(_ cookie: String, in view: Engine.View, of engine: Engine) async

    /// Returns the cookies that the page itself reports.
    func cookies(in view: Engine.View, of engine: Engine) async -> String

    /// Calls `history.pushState` in the page with each address, until all are pushed or the engine
    /// takes no more: WebKit stops a page after 100 pushes in ten seconds.
    ///
    /// - Returns: how many addresses were pushed.
    func push(_ addresses: [String], in view: Engine.View, of engine: Engine) async -> Int

    /// Opens other pages from the page, without a user action.
    func openPopups(_ pages: [TestPage], from view: Engine.View, of engine: Engine) async

    /// Whether a view's page knows the other's as its opener; `nil` if that can't be determined.
    func isOpener(_ view: Engine.View, of other: Engine.View) async -> Bool?

    /// Ends the process of the page; returns `false` if the page has no process of its own.
    func endProcess(of view: Engine.View, of engine: Engine) async -> Bool

    /// Makes the page compute endlessly; returns `false` if that would be the end of this process.
    func hang(_ view: Engine.View, of engine: Engine) async -> Bool
}

/// Pages that a subject serves.
public enum TestPage: Hashable, Sendable {
    /// A page of at least 5,000 pixels with the title ``title``; each number is a different page.
    case tall(Int)
    /// A page with a title of a million letters, with control characters among them.
    case longTitle
    /// A file to download.
    case download
    /// A page that redirects from one address to the next without end.
    case redirectLoop
    /// An address that doesn't answer.
    case unreachable
    /// A page that begins to load and never finishes.
    case endless

    /// The title of the page; empty if it doesn't matter.
    public var title: String {
        if case .tall(let number) = self { "Tall page \(number)" } else { "" }
    }
}
