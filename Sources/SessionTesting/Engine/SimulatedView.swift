import BrowserModel
import BrowserSessions

/// The view in which a ``SimulatedEngine`` shows a page.
public final class SimulatedView {
    struct Item: Hashable {
        var url: String
        var title: String
        var scroll = 0
    }

    struct Load {
        var address: String
        /// The index of the entry to reload; `nil` for a new one.
        var index: Int?
    }

    var items: [Item] = []
    var index: Int?
    var provisional: Load?
    /// The page's scroll position, which reaches the item once the engine has noticed it.
    public internal(set) var scroll = 0
    /// Whether the page is incognito.
    public let isPrivate: Bool
    /// The view with the page that opened this one.
    public private(set) weak var opener: SimulatedView?
    /// Whether the page has a process. It has none after ``SimulatedEngine/endProcess(of:)``, until
    /// something is loaded, restored or flushed.
    public internal(set) var isProcessAlive = true
    /// Whether the page computes forever, after ``SimulatedEngine/hang(_:)``. A flush of it never
    /// returns.
    public internal(set) var isHanging = false
    /// Whether the host discarded the view. It sends no more signals.
    public internal(set) var isDiscarded = false
    weak var page: WebPage?
    let session: PrivateSession?

    final class PrivateSession { var cookies: [String] = [] }

    init(isPrivate: Bool, opener: SimulatedView?, _ session: PrivateSession?) {
        self.isPrivate = isPrivate
        self.opener = opener
        self.session = session
    }

    /// The address of the page; empty before the first one.
    public var url: String { index.map { items[$0].url } ?? "" }

    /// Records the page's scroll position, as the engine does when it notices it.
    func writeDown() { if let index { items[index].scroll = scroll } }
}

/// Faults of engines, used one at a time, that a suite must detect.
public enum EngineFault: String, Hashable, Sendable, CaseIterable {
    /// The state contains only the current page.
    case capturesOnePage
    /// After restoring, back and forward do not work.
    case ignoresSteps
    /// Requesting the state immediately does not record anything.
    case flushesNothing
    /// The user's scrolling is not reported.
    case keepsScrollingToItself
    /// Unreadable bytes are accepted, and nothing is shown.
    case acceptsAnything
    /// Private pages share the regular cookies.
    case sharesCookies
    /// Each private page has its own cookies.
    case separatesPrivatePages
    /// A page that another page opened does not know its opener.
    case forgetsOpeners
    /// The end of a page's process is not reported.
    case hidesCrashes
    /// A page cannot be reloaded after its process has ended.
    case staysCrashed
    /// A page that is still loading is already in the history.
    case capturesWhatIsLoading
    /// Views are kept forever.
    case keepsViews
    /// An adopted view is replaced with a new one.
    case replacesAdoptedViews
    /// A failed load is not reported.
    case hidesFailures
    /// A download is treated as a page.
    case showsDownloads
    /// A change is reported for each page that arrives.
    case tellsChangesThatAreNone
    /// The engine claims to remove other pages but does not.
    case pretendsToForget
    /// A loaded page replaces the previous one.
    case replacesEntries
    /// A history without the engine's own bytes is accepted, and nothing is shown.
    case claimsHistories
    /// When its list is full, the engine loses track of the current page.
    case losesItsPlaceWhenFull
    /// The state of a page with a closed tab is not requested.
    case flushesOpenTabsAlone
    /// The engine's own bytes are refused in the process that made them.
    case refusesFreshBytes
    /// Cookies of private pages are kept for the next process.
    case keepsPrivateCookies
    /// Everything that a page does counts as a user action.
    case believesPages
    /// A load that becomes a download is first reported as an arrived page.
    case commitsDownloads
    /// A page is reported as arrived only when it is complete.
    case commitsAtTheEnd
    /// The title of a page is reported while the previous page is still shown.
    case tellsTitlesEarly
}
