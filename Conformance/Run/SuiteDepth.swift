/// How much the cases that count something try: kills, damaged bits, random sequences.
public enum SuiteDepth: String, Codable, Hashable, Sendable, CaseIterable {
    /// Enough for every change: 40 kills of 200, a tenth of the power cuts or less. The suite still
    /// catches each of its faulty backends.
    case quick
    /// The depth of a certificate.
    case full
    /// The same, with thousands of power cuts, kills, and failing calls.
    case long
}
