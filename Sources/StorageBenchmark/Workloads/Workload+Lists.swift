import BrowserModel
import BrowserSessions
import SessionSamples

extension Workload {
    /// Changes of a list that no store takes part in. They are measured once, with the store that does
    /// nothing: in a forest, and in a list of the same tabs as the floor.
    static let lists = [
        ofList("list-close", "One of a list's tabs is closed.", .close),
        ofList(
            "list-insert", "A tab comes into a list that another one has opened, without its page.",
            .insert),
        ofList("list-move", "One of a list's tabs is dragged behind another one.", .move),
        ofList("list-pin", "One of a list's tabs is pinned.", .pin),
        ofList("list-group", "A group is made of one of a list's tabs.", .group),
    ]

    private static func ofList(
        _ name: String, _ summary: String, _ kind: ChangingList.Kind
    ) -> Workload {
        Workload(name, floor: .list, isSaving: false, use: .unlessQuick, summary: summary) {
            scene, _ throws(StorageError) in
            try scene.requireNoStore()
            return ListChangeRun(scene, kind)
        }
    }
}

/// A run that changes a forest, and as the floor a list, in the same way.
private final class ListChangeRun: WorkloadRun {
    private let scene: Scene
    private let kind: ChangingList.Kind
    private let forest: ChangingList
    private let list: ChangingList
    private let tabs: [TabID]
    private var count = 0

    /// The lists are made again after so many changes, so that they keep their size and form.
    private static let fewChanges = 50

    init(_ scene: Scene, _ kind: ChangingList.Kind) {
        self.scene = scene
        self.kind = kind
        tabs = scene.window.tabs.map(\.id)
        var (grown, flat) = (scene.window, scene.window)
        grown.grow()
        flat.flatten()
        (forest, list) = (ChangingList(grown), ChangingList(flat))
    }

    func prepare() -> Int {
        if count.isMultiple(of: min(Self.fewChanges, max(1, tabs.count / 4))) {
            forest.renew()
            list.renew()
        }
        count += 1
        while true {
            let one = scene.sampler.generator.pick(tabs)
            let other = scene.sampler.generator.pick(tabs)
            if forest.prepare(kind, one, other), list.prepare(kind, one, other) { return 0 }
        }
    }

    func operate() throws(StorageError) { try forest.perform() }
    func operateFloor() throws(StorageError) { try list.perform() }

    func check() -> String? {
        forest.isRight && list.isRight ? nil : "a list is not as it has to be after a change"
    }
}
