import BrowserModel

/// What pages a ``SimulatedEngine`` finds, and what it keeps on the disk beside sessions. It outlives
/// engines, as servers and cookies outlive a process.
public final class SimulatedWeb {
    /// What is at an address.
    public enum Answer: Hashable, Sendable {
        case page(title: String)
        /// The address leads to another one.
        case redirect(String)
        case failure(String)
        case download
        /// The page begins to come and is never whole.
        case endless(title: String)
    }

    /// What is at an address if ``answers`` does not say: a page whose title is made of the address.
    public static func title(of address: String) -> String { "Page at \(address)" }

    public var answers: [String: Answer] = [:]
    /// The cookies of all that is not private.
    public var cookies: [String] = []
    /// What a faulty engine keeps of private pages.
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
