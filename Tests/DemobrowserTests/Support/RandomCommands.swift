import SessionSamples

/// Commands as a hasty user would give them; some of them name tabs that are not there.
struct RandomCommands {
    /// Incognito tabs show pages of these numbers, and no other tab does.
    static let hiddenPages = 777_000...777_999

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next(_ count: Int) -> [String] { (0..<count).map { _ in next() } }

    mutating func next() -> String {
        switch random.integer(in: 0...99) {
        case 0..<18: "open \(page)"
        case 18..<30: "select \(tab)"
        case 30..<42: "close \(tab)"
        case 42..<46: "close \(tab) \(tab) \(tab)"
        case 46..<54: "move \(tab) \(tab)"
        case 54..<62: "to \(tab) \(window)"
        case 62..<65: "pin \(tab)"
        case 65..<67: "unpin \(tab)"
        case 67..<71: "group \(["news", "work", "play"][random.integer(in: 0...2)]) \(tab) \(tab)"
        case 71..<73: "ungroup \(tab)"
        case 73..<75: "window"
        case 75..<80: "window \(window)"
        case 80..<83: "close window"
        case 83..<87: "incognito demo:page/\(random.integer(in: Self.hiddenPages))"
        case 87..<89: "close i1"
        case 89: "to i1 \(window)"
        case 90..<93: "go \(page)"
        case 93: "go back"
        case 94: "go forward"
        case 95: "go scroll \(random.integer(in: 0...4))"
        case 96: "undo"
        case 97: ["undo", "closeall", "undo-closeall"][random.integer(in: 0...2)]
        case 98: random.integer(in: 0...1) == 0 ? "background" : "foreground"
        default: "save"
        }
    }

    private var page: String {
        mutating get { "demo:page/\(random.integer(in: 1...699))" }
    }

    private var tab: Int {
        mutating get { random.integer(in: 1...9) }
    }

    private var window: Int {
        mutating get { random.integer(in: 1...4) }
    }
}
