import Expectations

/// Random changes of two lists that share a registry, in every order.
struct TabListPropertyTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func rulesHoldAndEventsSufficeToRebuildTheListAfterAnyChanges(seed: UInt64) {
        var changer = RandomChanger(seed: seed)
        for step in 1...1_500 {
            let what = changer.change()
            let faults = changer.faults()
            guard faults.isEmpty else {
                recordIssue("step \(step), \(what), \(changer.list.layout): \(faults)")
                return
            }
        }
        expect(changer.done.count, is: RandomChanger.kinds)
    }
}
