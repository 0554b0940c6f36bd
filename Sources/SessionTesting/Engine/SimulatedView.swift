import BrowserModel
import BrowserSessions

/// What a ``SimulatedEngine`` shows a page in.
public final class SimulatedView {
    struct Item: Hashable {
        var url: String
        var title: String
        var scroll = 0
    }

    struct Load {
        var address: String
        /// The entry that is loaded again; `nil` for a new one.
        var index: Int?
    }

    var items: [Item] = []
    var index: Int?
    var provisional: Load?
    /// Where the page is scrolled to; the item has it once the engine has written it down.
    public internal(set) var scroll = 0
    public let isPrivate: Bool
    /// The view whose page has opened this one.
    public private(set) weak var opener: SimulatedView?
    public internal(set) var isProcessAlive = true
    public internal(set) var isHanging = false
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

    /// The engine has noticed where the page is scrolled to.
    func writeDown() { if let index { items[index].scroll = scroll } }
}

/// Faults of engines, one at a time, that a suite must see.
public enum EngineFault: String, Hashable, Sendable, CaseIterable {
    /// The state has the page that is shown alone.
    case capturesOnePage
    /// After restoring nobody can go back.
    case ignoresSteps
    /// Nothing is written down when the state is asked for at once.
    case flushesNothing
    /// The user's scrolling is not told.
    case keepsScrollingToItself
    /// Bytes that it can't read are taken, and nothing is shown.
    case acceptsAnything
    /// Private pages have the cookies of all.
    case sharesCookies
    /// Each private page has cookies of its own.
    case separatesPrivatePages
    /// A page that another has opened does not know it.
    case forgetsOpeners
    /// The end of a page's process is not told.
    case hidesCrashes
    /// After its process ended a page can't be loaded again.
    case staysCrashed
    /// A page that is being loaded is in the history already.
    case capturesWhatIsLoading
    /// Views are kept for ever.
    case keepsViews
    /// A view that it is given is replaced by a new one.
    case replacesAdoptedViews
    /// A load that fails is not told.
    case hidesFailures
    /// A download is taken for a page.
    case showsDownloads
    /// Each page that has come is told to have changed.
    case tellsChangesThatAreNone
    /// It says that it forgets pages, and does not.
    case pretendsToForget
    /// A page that was loaded takes the place of the one before.
    case replacesEntries
    /// A history without its own bytes is taken, and nothing is shown.
    case claimsHistories
    /// When its list is full, it does not know any more which page is shown.
    case losesItsPlaceWhenFull
    /// A page whose tab was closed is not asked for its state any more.
    case flushesOpenTabsAlone
    /// Its own bytes are refused in the process that has made them.
    case refusesFreshBytes
    /// Cookies of private pages are kept for the next process.
    case keepsPrivateCookies
    /// All that a page does counts as the user's action.
    case believesPages
    /// What becomes a download is told to be there first.
    case commitsDownloads
    /// A page is told to be there when all of it is.
    case commitsAtTheEnd
    /// The title of a page is told while the one before is still shown.
    case tellsTitlesEarly
}
