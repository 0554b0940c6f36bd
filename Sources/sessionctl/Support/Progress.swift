import CommandLineSupport

/// A line on a terminal that tells how far long work is, how fast it goes and when it may be done; silent
/// elsewhere.
final class Progress {
    private let label: String
    private let noun: String
    private let stream: Stream
    private let start: Duration
    private var lastShown: Duration?
    private var isShown = false

    /// Where the line is, and what tells the time.
    struct Stream {
        var isTerminal: Bool
        /// The time since some moment that does not change.
        var now: () -> Duration
        var write: (String) -> Void

        /// Standard error and the machine's clock.
        static var standard: Stream {
            let start = ContinuousClock.now
            return Stream(
                isTerminal: StandardStream.messages.isTerminal,
                now: { ContinuousClock.now - start },
                write: { try? StandardStream.messages.write($0) })
        }
    }

    /// The line changes this often at most.
    private static let interval = Duration.milliseconds(100)
    /// Before this nobody can tell when work will be done.
    private static let trustedTime = Duration.seconds(1)

    /// - Parameters:
    ///   - label: what is done: `reading`.
    ///   - noun: what is counted, one of them: `tab`.
    init(_ label: String, _ noun: String, on stream: Stream = .standard) {
        self.label = label
        self.noun = noun
        self.stream = stream
        start = stream.now()
    }

    /// - Parameter total: how many there are; `nil` if nobody knows.
    func update(_ done: Int, of total: Int? = nil) {
        guard stream.isTerminal else { return }
        let now = stream.now()
        if let lastShown, now - lastShown < Self.interval { return }
        lastShown = now
        isShown = true
        stream.write("\r\u{1B}[K\(words(done, total, now - start))")
    }

    /// Removes the line.
    func finish() {
        if isShown { stream.write("\r\u{1B}[K") }
        isShown = false
    }

    private func words(_ done: Int, _ total: Int?, _ time: Duration) -> String {
        var words = "\(label) "
        if let total {
            let percent = total > 0 ? min(done, total) * 100 / total : 100
            words += "\(percent) %, \(done) of \(counted(total, noun))"
        } else {
            words += counted(done, noun)
        }
        guard time >= Self.trustedTime, done > 0 else { return words }
        let rate = Double(done) / (time / .seconds(1))
        words += rate < 10 ? ", \(Int(rate * 60)) a minute" : ", \(Int(rate)) a second"
        if let total, done < total {
            words += ", \(Self.words(for: Double(total - done) / rate)) left"
        }
        return words
    }

    /// `less than a second`, `5 s`, `3 min`, `2 h`
    private static func words(for seconds: Double) -> String {
        switch seconds {
        case ..<1: "less than a second"
        case ..<100: "about \(Int(seconds.rounded())) s"
        case ..<6000: "about \(Int((seconds / 60).rounded())) min"
        default: "about \(Int((min(seconds, 1e9) / 3600).rounded())) h"
        }
    }
}
