/// Addresses and titles as in real sessions: mostly short, some very long, in several scripts. All
/// hosts are in reserved domains.
enum SampleText {
    /// The maximum length of an address in bytes.
    static let maximumURLBytes = 2000

    /// The lengths at which an address is long enough. It ends up to one path segment later.
    private static let urlBytes = Quantiles(
        from: 14,
        points: [
            (100, 30), (250, 48), (500, 70), (750, 112), (900, 210), (970, 620), (995, 1500),
            (1000, 2000),
        ])
    private static let titleBytes = Quantiles(
        from: 3, points: [(100, 14), (500, 40), (900, 96), (990, 240), (1000, 600)])

    static func url(_ generator: inout SeededGenerator) -> String {
        let bytes = generator.value(of: urlBytes)
        if generator.chance(1, in: 100) { return generator.pick(["about:newtab", "about:blank"]) }
        var url = generator.chance(1, in: 50) ? "http://" : "https://"
        url += host(&generator)
        var segments = 0
        while url.utf8.count < bytes, segments < 4 {
            url += "/" + slug(&generator)
            segments += 1
        }
        if segments == 0 { url += "/" }
        while url.utf8.count < bytes {
            url += (segments == 4 ? "?" : "&") + generator.pick(SampleWords.queryKeys) + "="
            url += hexadecimal(generator.integer(in: 4...48), &generator)
            segments += 1
        }
        return String(decoding: url.utf8.prefix(maximumURLBytes), as: UTF8.self)
    }

    /// Returns the address of the icon of a page's site.
    static func faviconURL(of url: String, _ generator: inout SeededGenerator) -> String {
        let site = url.split(separator: "/", maxSplits: 2).dropFirst().first ?? "localhost"
        let name = generator.pick(["/favicon.ico", "/favicon-32x32.png", "/static/icons/icon.svg"])
        return "https://" + site + name
    }

    static func title(_ generator: inout SeededGenerator) -> String {
        if generator.chance(1, in: 25) { return "" }
        let bytes = generator.value(of: titleBytes)
        let script = generator.pick(SampleWords.scripts)
        var title = generator.chance(1, in: 16) ? generator.pick(SampleWords.emoji) + " " : ""
        title += generator.pick(script.words)
        while title.utf8.count < bytes {
            title += script.separator + generator.pick(script.words)
        }
        if generator.chance(1, in: 4) { title += " – " + generator.pick(SampleWords.latin) }
        return title
    }

    static func hexadecimal(_ digits: Int, _ generator: inout SeededGenerator) -> String {
        let alphabet = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        while text.count < digits {
            var bits = generator.next()
            for _ in 0..<min(16, digits - text.count) {
                text.append(alphabet[Int(bits & 15)])
                bits >>= 4
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func host(_ generator: inout SeededGenerator) -> String {
        let names = SampleWords.latin
        var host = generator.pick([
            "", "", "www.", "www.", "m.", "docs.", "news.", "xn--bcher-kva.",
        ])
        host += generator.pick(names)
        if generator.chance(1, in: 3) { host += "-" + generator.pick(names) }
        return host + generator.pick([".example", ".test", ".example.org", ".example.com"])
    }

    private static func slug(_ generator: inout SeededGenerator) -> String {
        if generator.chance(1, in: 8) { return String(generator.integer(in: 1...999_999)) }
        if generator.chance(1, in: 16) { return generator.pick(SampleWords.escaped) }
        var slug = generator.pick(SampleWords.latin)
        for _ in 0..<generator.integer(in: 0...2) {
            slug += "-" + generator.pick(SampleWords.latin)
        }
        return slug
    }
}
