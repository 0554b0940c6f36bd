import BrowserModel
import Expectations

/// A tab strip as widgets are: it reports the mirror's calls as if the user had acted, at once or
/// later, and may select by itself.
final class FakeStrip: TabStrip {
    /// When it reports what changed.
    enum Reports: CaseIterable { case never, atOnce, later }

    private(set) var tabs: [Tab] = []
    private(set) var selectedIndex: Int?
    /// When it reports what the mirror changed.
    var echo = Reports.never
    /// When it reports what the user did: at once or later.
    var report = Reports.atOnce
    /// Whether it selects a neighbour when the selected one is removed, and never none.
    var selectsByItself = false
    /// Whether it has the mirror flush when it is asked for it, which it must not.
    var flushesAtOnce = false
    weak var mirror: TabListMirror?
    /// Lives as long as the strip.
    var companion: AnyObject?
    /// Runs within each call, before its effect shows.
    var onCall: (String) -> Void = { _ in }
    /// How often it was asked to have the mirror flush, and was not obeyed yet.
    var timesAsked = 0
    private var log: [String] = []
    private var reports: [() -> Void] = []

    /// The mirror's calls since the last call of this function.
    func take() -> [String] {
        defer { log = [] }
        return log
    }

    // MARK: What the mirror does

    func insert(_ tab: Tab, at index: Int) {
        told("insert \(tab.title) at \(index)")
        change { tabs.insert(tab, at: index) }
        tell(echo)
    }

    func move(from: Int, to: Int) {
        told("move \(from) to \(to)")
        change { tabs.insert(tabs.remove(at: from), at: to) }
        tell(echo)
    }

    func remove(at index: Int) {
        told("remove \(index)")
        let tab = tabs[index]
        change { tabs.remove(at: index) }
        tell(echo)
        tell(echo) { $0.userClosed(tab) }
    }

    func select(_ index: Int?) {
        told("select \(index.map(String.init) ?? "none")")
        if let index { expect(tabs.indices.contains(index)) }
        if index != nil || !selectsByItself { selectedIndex = index }
        tell(echo)
    }

    func update(_ tab: Tab, at index: Int) {
        told("update \(tab.title)")
        expect(tabs[index] === tab)
    }

    func reload(_ tabs: [Tab], selected: Int?) {
        told("reload \(tabs.count), \(selected.map(String.init) ?? "none")")
        let former = self.tabs
        self.tabs = tabs
        selectedIndex = selected
        // As a widget does that takes all pages out and reports each; later that is too much.
        if echo == .atOnce { for tab in former { mirror?.userClosed(tab) } }
        if selectsByItself, selected == nil, !tabs.isEmpty { selectedIndex = 0 }
        tell(echo)
    }

    func flushSoon() {
        timesAsked += 1
        if flushesAtOnce { mirror?.flush() }
    }

    private func told(_ what: String) {
        log.append(what)
        onCall(what)
    }

    /// Changes the tabs; the same one stays selected, if it can.
    private func change(_ work: () -> Void) {
        let (old, selected) = (selectedIndex, selectedIndex.map { tabs[$0] })
        work()
        selectedIndex = selected.flatMap { tab in tabs.firstIndex { $0 === tab } }
        guard selectsByItself, selectedIndex == nil, !tabs.isEmpty else { return }
        selectedIndex = min(old ?? 0, tabs.count - 1)
    }

    private func tell(
        _ when: Reports, _ signal: @escaping (TabListMirror) -> Void = { $0.stripChanged() }
    ) {
        switch when {
        case .never: break
        case .atOnce: if let mirror { signal(mirror) }
        case .later: reports.append { [weak self] in self?.mirror.map(signal) }
        }
    }

    // MARK: What the user does

    func click(_ index: Int?) {
        selectedIndex = index
        tell(report)
    }

    func drag(_ from: Int, to: Int) {
        change { tabs.insert(tabs.remove(at: from), at: to) }
        tell(report)
    }

    func pressClose(_ index: Int) {
        let tab = tabs[index]
        tell(report) { $0.userClosed(tab) }
    }

    /// Loses a tab without a call of the mirror.
    func lose(_ index: Int) {
        change { tabs.remove(at: index) }
        tell(report)
    }

    // MARK: What comes later

    /// Reports what is late, and has the mirror flush, until nothing is left. Reports that beget
    /// reports without end are an issue.
    func runLoop() {
        for _ in 0..<1_000 {
            let due = reports
            reports = []
            for report in due { report() }
            let mustFlush = timesAsked > 0
            timesAsked = 0
            if mustFlush { mirror?.flush() }
            if reports.isEmpty, timesAsked == 0 { return }
        }
        recordIssue("the strip and its mirror never come to rest")
    }

    /// The titles in order, `*` before that of the selected tab.
    var layout: String {
        tabs.indices.map { ($0 == selectedIndex ? "*" : "") + tabs[$0].title }
            .joined(separator: " ")
    }
}

/// A list, its strip, and the mirror between.
struct MirroredList {
    let list: TabList
    let strip: FakeStrip
    let mirror: TabListMirror

    init(_ list: TabList, _ strip: FakeStrip = FakeStrip()) {
        (self.list, self.strip) = (list, strip)
        mirror = TabListMirror(list, strip: strip)
        strip.mirror = mirror
        _ = strip.take()
    }

    init(_ text: String, _ strip: FakeStrip = FakeStrip()) throws {
        self.init(try TabList.of(text), strip)
    }

    /// Whether the strip shows what the list has. One that selects by itself can't show that no tab
    /// is active.
    var isEqual: Bool {
        let isFree = strip.selectsByItself && list.activeTab == nil
        return strip.tabs.elementsEqual(list.tabs, by: ===)
            && (isFree || strip.selectedIndex == list.activeIndex)
    }
}
