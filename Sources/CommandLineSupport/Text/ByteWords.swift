/// Sizes as people say them.
package enum ByteWords {
    /// Returns `812 bytes`, `1 byte`, `4.1 KiB`, `38 MiB`, or `1.2 GiB`.
    package static func words(_ bytes: Int) -> String {
        guard bytes >= 1024 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let isHuge = bytes > .max / 16
        var (tenths, unit) = isHuge ? ((bytes >> 20) * 10, 1) : ((bytes * 10 + 512) / 1024, 0)
        while tenths >= 10_240, unit < units.count - 1 {
            (tenths, unit) = ((tenths + 512) / 1024, unit + 1)
        }
        let text = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
        return "\(text) \(units[unit])"
    }

    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB"]
}
