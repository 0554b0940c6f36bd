import BrowserSessions

/// Which restore points a store keeps as time passes.
///
/// Ages are in seconds of the store's own count, see ``PointClock``. A clock may still be wrong by days, so the
/// newest points stay at any age: it takes others after them to remove one.
enum PointRetention {
    private static let hour: Int64 = 3600
    private static let day = 24 * hour

    /// The most recent points, before losses, and before plans.
    static let most = 10
    /// How long a point before a loss or a plan stays.
    static let term = 30 * day

    /// A point, and its age in seconds.
    struct Candidate {
        var number: StoredNumber
        var age: Int64
        /// Whether it stays until it is released.
        var isKept: Bool
        var isBeforeLoss: Bool
        var isBeforeRestoring: Bool

        init(number: StoredNumber, age: Int64, point: RestorePoint) {
            (self.number, self.age) = (number, age)
            isBeforeRestoring = point.isBeforeRestoring
            isBeforeLoss = point.isBeforeLoss
            isKept = point.isPinned || point.reason == .named && !point.isBeforeRestoring
        }
    }

    /// Returns the points that stay until they are released, because somebody pinned or named them, and
    /// the newest ten each from before a loss and from before a plan was applied, for 30 days.
    ///
    /// - Parameter points: ascending.
    static func withTerm(_ points: [Candidate]) -> Set<StoredNumber> {
        let young = points.filter { !$0.isKept && $0.age < term }
        return Set(points.filter(\.isKept).map(\.number))
            .union(young.filter(\.isBeforeLoss).suffix(most).map(\.number))
            .union(young.filter(\.isBeforeRestoring).suffix(most).map(\.number))
    }

    /// Returns the points that are not kept any more. Of those without a term stay ten of the last 24
    /// hours, or the newest ten if these are older, one of a day for 7 days, and one of a week for 4 weeks; and
    /// the newest in any case.
    ///
    /// From the oldest on, one stays that is a day younger than the one before, or a week: so a point is there
    /// until it is too old, however many are taken after it.
    ///
    /// - Parameter points: ascending.
    static func expired(of points: [Candidate]) -> Set<StoredNumber> {
        let terms = withTerm(points)
        let free = points.filter { !terms.contains($0.number) }
        let young = free.count { $0.age < day }
        var kept = Set(recent(free.suffix(max(young, most))).map(\.number))
        if let newest = points.last { kept.insert(newest.number) }
        var last: Int64?
        for point in free where (day..<28 * day).contains(point.age) {
            let least = point.age < 7 * day ? day : 7 * day
            if let last, last - point.age < least { continue }
            last = point.age
            kept.insert(point.number)
        }
        return Set(free.map(\.number)).subtracting(kept)
    }

    /// Returns ten of the points, spread as evenly as they are: many openings in a row do not take the
    /// place of what the day began with.
    private static func recent(_ points: ArraySlice<Candidate>) -> [Candidate] {
        var points = Array(points)
        while points.count > most {
            let inner = 1..<points.count - 1
            guard
                let nearest = inner.min(by: { one, other in
                    points[one - 1].age - points[one + 1].age
                        < points[other - 1].age - points[other + 1].age
                })
            else { break }
            points.remove(at: nearest)
        }
        return points
    }
}
