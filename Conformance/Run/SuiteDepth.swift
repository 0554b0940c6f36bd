/// How much the cases that count something try: kills, damaged bits, random sequences.
public enum SuiteDepth: String, Codable, Hashable, Sendable, CaseIterable {
    /// Enough for every change: a fifth or so of all, in a minute for each backend.
    case quick
    /// What a certificate stands for.
    case full
}
