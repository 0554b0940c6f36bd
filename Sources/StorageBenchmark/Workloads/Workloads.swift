extension Workload {
    static func named(_ name: String) -> Workload? { [Workload].all.first { $0.name == name } }
}

extension [Workload] {
    /// All workloads, in the order of tables.
    static let all =
        SavingRows.all + GroupRows.all + ForestRows.all + ReadingRows.all + WindowRows.all
        + OpeningRows.all + ProfileRows.all + PointRows.all + ReaderRows.all + EnduranceRows.all

    /// The workloads that are measured if none is chosen.
    static var usual: [Workload] { all.filter { $0.use != .onRequest } }
}
