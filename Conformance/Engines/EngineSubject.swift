public import BrowserModel

/// An engine binding that is checked, and what a user, its pages and time do to it.
///
/// What a subject cannot do it says with `false` or `nil`: the requirements that need it are then not
/// applicable, and the table says so.
public protocol EngineSubject: AnyObject {
    associatedtype Engine: WebEngine

    /// The clock of the delays; a real engine has the system's.
    var clock: any Clock<Duration> { get }

    /// The engine as a new process has it, over the same servers and the same disk.
    func makeEngine() throws -> Engine

    /// The address at which such a page is served.
    func address(of page: TestPage) -> String

    /// Lets everything go on until the condition holds, or for as long as anybody would wait.
    func wait(until condition: () -> Bool) async

    /// Lets so much time pass.
    func passTime(_ duration: Duration) async

    /// A view that belongs to no tab, with the page loaded; `nil` if there can be none.
    func makeLooseView(_ page: TestPage, with engine: Engine) async -> Engine.View?

    /// The user scrolls to so many pixels from the top.
    func scroll(_ view: Engine.View, of engine: Engine, to position: Int) async

    /// Where the page is scrolled to, by what the page itself says.
    func scrollPosition(_ view: Engine.View) async -> Int?

    /// The page sets a cookie, a name and a value: `a=1`.
    func setCookie(_ cookie: String, in view: Engine.View, of engine: Engine) async

    /// The page's cookies, by what the page itself says.
    func cookies(in view: Engine.View, of engine: Engine) async -> String

    /// The page calls `history.pushState` with these addresses, one after the other, until all are pushed
    /// or the engine takes no more: WebKit ends a page's pushing after 100 in ten seconds.
    ///
    /// - Returns: how many were pushed.
    func push(_ addresses: [String], in view: Engine.View, of engine: Engine) async -> Int

    /// The page opens others, without an action of the user.
    func openPopups(_ pages: [TestPage], from view: Engine.View, of engine: Engine) async

    /// Whether the page of a view knows the one of the other as its opener; `nil` if that can't be told.
    func isOpener(_ view: Engine.View, of other: Engine.View) async -> Bool?

    /// Ends the process of the page; `false` if it has none of its own.
    func endProcess(of view: Engine.View, of engine: Engine) async -> Bool

    /// The page computes without end from now on; `false` if that would be the end of this process.
    func hang(_ view: Engine.View, of engine: Engine) async -> Bool
}

/// Pages that a subject serves.
public enum TestPage: Hashable, Sendable {
    /// A page of at least 5,000 pixels, with the title ``title``; each number is another one.
    case tall(Int)
    /// Its title has a million letters and controls among them.
    case longTitle
    /// A file to be saved.
    case download
    /// Leads from one address to the next without end.
    case redirectLoop
    /// Nobody answers there.
    case unreachable
    /// Begins to come, and never ends.
    case endless

    /// The title of the page; empty if it is of no importance.
    public var title: String {
        if case .tall(let number) = self { "Tall page \(number)" } else { "" }
    }
}
