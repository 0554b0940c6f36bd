import BrowserModel

/// The pages that a ``SimulatedEngine`` finds, and the data that it keeps on disk apart from
/// sessions. It outlives engines, as servers and cookies outlive a process.
public final class SimulatedWeb {
    /// The content at an address.
    public enum Answer: Hashable, Sendable {
        /// A page that loads completely.
        case page(title: String)
        /// The address redirects to another one.
        case redirect(String)
        /// The page cannot be loaded, with the message of the failure.
        case failure(String)
        /// The address leads to a download, so that no page is shown.
        case download
        /// The page begins to arrive and never completes.
        case endless(title: String)
    }

    /// Returns the title of the page at an address that ``answers`` does not contain.
    public static func title(of address: String) -> String { "Page at \(address)" }

    /// The content by address. Any other address has a page with the title of ``title(of:)``. A
    /// chain of more than 20 redirects fails.
    public var answers: [String: Answer] = [:]
    /// The cookies of everything that is not private.
    public var cookies: [String] = []
    /// The private cookies that a faulty engine keeps.
    var privateCookies: [String] = []

    /// Creates a web in which each address has a page.
    public init() {}

    func answer(at address: String) -> (address: String, answer: Answer) {
        var address = address
        for _ in 0..<20 {
            guard case .redirect(let next)? = answers[address] else {
                return (address, answers[address] ?? .page(title: Self.title(of: address)))
            }
            address = next
        }
        return (address, .failure("the page leads from one address to the next without end"))
    }
}
