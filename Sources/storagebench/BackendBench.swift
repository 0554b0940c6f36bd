import BrowserSessions
import SessionSamples

/// All figures of one backend.
struct BackendBench {
    struct Figure {
        var name: String
        var value: String
    }

    var backend: StorageBackend
    var root: String
    var samples: Int
    var seed: UInt64

    func run() throws -> [Figure] {
        var figures: [Figure] = []
        var medians: [Int: Pairs] = [:]
        for tabs in [10, 1000, 10_000] {
            let bench = try Bench(self, tabs: tabs)
            let (pairs, bytes) = try bench.saveOneTab(samples)
            medians[tabs] = pairs
            figures.append(.init(name: "durable save, \(tabs) tabs", value: ratio(pairs, "A")))
            figures.append(
                .init(name: "  bytes written beyond the record", value: String(bytes)))
            if tabs == 1000 {
                for size in [10 << 10, 100 << 10] {
                    let pairs = try bench.saveState(samples, size)
                    figures.append(
                        .init(name: "  with \(size >> 10) KiB of state", value: ratio(pairs, "A")))
                }
            }
            figures.append(
                .init(name: "  move to another window", value: ratio(try bench.move(samples), "A")))
            let quick = try bench.saveQuickly(max(samples * 20, 2000))
            figures.append(
                .init(
                    name: "  save at processCrash",
                    value:
                        "\(round(quick.microseconds)) us, p99.9 \(round(quick.percentile(0.999)))"))
            if tabs > 10 {
                let full = try bench.restore(max(samples / 5, 20))
                figures.append(.init(name: "  restore, after many saves", value: ratio(full, "D")))
                try bench.reopen()
                let clean = try bench.restore(max(samples / 5, 20))
                figures.append(.init(name: "  restore, after a close", value: ratio(clean, "D")))
            }
            if tabs == 1000 {
                figures.append(
                    .init(
                        name: "  realize a tab, 10 KiB",
                        value: ratio(try bench.realize(samples), "R")))
                figures.append(
                    .init(
                        name: "  delete 1000 incognito tabs",
                        value: ratio(try bench.deleteIncognito(max(samples / 10, 10)), "A")))
            }
            try bench.close()
        }
        if let few = medians[10], let many = medians[10_000] {
            figures.append(
                .init(
                    name: "growth of a durable save, 10 to 10,000 tabs",
                    value: "\(round(many.ratio / few.ratio)) x"))
        }
        return figures
    }

    private func ratio(_ pairs: Pairs, _ floor: String) -> String {
        "\(round(pairs.ratio)) \(floor) (\(round(pairs.microseconds)) us)"
    }

    private func round(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
