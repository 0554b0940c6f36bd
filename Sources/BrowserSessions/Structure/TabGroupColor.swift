/// The color of a group. An open set: a value from a newer version is kept, not replaced.
public struct TabGroupColor: Hashable, Sendable, RawRepresentable {
    public var rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Gray, the default; the raw value is 0.
    public static let grey = TabGroupColor(rawValue: 0)
    /// Blue; the raw value is 1.
    public static let blue = TabGroupColor(rawValue: 1)
    /// Red; the raw value is 2.
    public static let red = TabGroupColor(rawValue: 2)
    /// Yellow; the raw value is 3.
    public static let yellow = TabGroupColor(rawValue: 3)
    /// Green; the raw value is 4.
    public static let green = TabGroupColor(rawValue: 4)
    /// Pink; the raw value is 5.
    public static let pink = TabGroupColor(rawValue: 5)
    /// Purple; the raw value is 6.
    public static let purple = TabGroupColor(rawValue: 6)
    /// Cyan; the raw value is 7.
    public static let cyan = TabGroupColor(rawValue: 7)
    /// Orange; the raw value is 8.
    public static let orange = TabGroupColor(rawValue: 8)

    /// The color's English name; `nil` for a color that this version does not know.
    public var name: String? {
        let names = [
            "grey", "blue", "red", "yellow", "green", "pink", "purple", "cyan", "orange",
        ]
        return names.indices.contains(Int(rawValue)) ? names[Int(rawValue)] : nil
    }
}
