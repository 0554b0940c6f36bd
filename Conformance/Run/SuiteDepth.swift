/// How much the cases that count something try: kills, damaged bits, random sequences.
public enum SuiteDepth: String, Codable, Hashable, Sendable, CaseIterable {
    /// Enough for every change: 40 kills of 200, a tenth of the power cuts or less. The faulty backends of the
    /// suite say what is enough: each is caught.
    case quick
    /// What a certificate stands for.
    case full
    /// The same, with power cuts, kills and failing calls by thousands.
    case long
}
