import BrowserModel

/// The pages that a ``SimulatedEngine`` finds, and the data that it keeps on disk apart from
/// sessions. It outlives engines, as servers and cookies outlive a process.
public final class SimulatedWeb {
    /// The content at an address.
    public enum Answer: Hashable, Sendable {
        case page(title: String)
        /// The address redirects to another one.
        case redirect(String)
        case failure(String)
        case download
        /// The page begins to arrive and never completes.
        case endless(title: String)
    }

    /// Returns the title of the page at an address that ``answers`` does not contain.
    public static func title(of address: String) -> String { "Page at \(address)" }

    public var answers: [String: Answer] = [:]
    /// The cookies of everything that is not private.
    public var cookies: [String] = []
    /// The private cookies that a faulty engine keeps.
    var privateCookies: [String] = []

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
