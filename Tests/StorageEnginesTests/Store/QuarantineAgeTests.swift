import Expectations

@testable import StorageEngines

/// How old items of the quarantine are.
@Suite("ages in the quarantine")
struct QuarantineAgeTests {
    private static let day: Int64 = 24 * 3600

    @Test func aClockThatIsWrongOnceCostsTwoDays() {
        var age = QuarantineAge(now: 0)
        age.goOn(to: 0, items: ["a"])
        for now in [400 * Self.day, 0, -400 * Self.day, .max, .min] {
            age.goOn(to: now, items: ["a"])
        }
        // It went forward twice, and two days are believed of each.
        expect(age.age(of: "a"), is: 4 * Self.day)
    }

    @Test func anItemAgesFromWhenItWasSeenFirst() {
        var age = QuarantineAge(now: 0)
        age.goOn(to: Self.day, items: ["a"])
        age.goOn(to: 2 * Self.day, items: ["a", "b"])
        age.goOn(to: 3 * Self.day, items: ["a", "b"])
        expect(age.age(of: "a") == 2 * Self.day && age.age(of: "b") == Self.day)
        expect(age.age(of: "c"), is: 0)
        age.goOn(to: 3 * Self.day, items: ["b"])
        expect(age.marks.keys.sorted(), is: ["b"])
    }

    @Test func itIsReadAsItWasWritten() {
        let age = QuarantineAge(count: 5, seen: 7, marks: ["a b": 1, "c": 5])
        expect(QuarantineAge(text: age.text), is: age)
    }

    @Test func aStrangeNameSpoilsNoOther() {
        let marks: [String: Int64] = ["a\nb": 1, "\r": 2, "c": 3, " ": 4]
        let age = QuarantineAge(count: 5, seen: 7, marks: marks)
        expect(QuarantineAge(text: age.text)?.marks, is: ["c": 3, " ": 4])
    }

    @Test(arguments: [
        "", "count 1\n", "count 1\nseen 1", "count -1\nseen 1\n", "seen 1\ncount 1\n",
        "count 1\nseen 1\n-1 a\n", "count 1\nseen 1\nx a\n", "count 99999999999999999999\nseen 1\n",
    ])
    func whatIsNotWholeIsNotRead(text: String) { expect(QuarantineAge(text: text) == nil) }

    @Test func marksOfTheFutureAreOfNow() {
        var age = QuarantineAge(count: .max, seen: 0, marks: ["a": .max])
        age.goOn(to: .max, items: ["a", "b"])
        expect(age.age(of: "a") == 0 && age.age(of: "b") == 0)
        var other = QuarantineAge(count: 5, seen: 0, marks: ["a": 9])
        other.goOn(to: 1, items: ["a"])
        expect(other.age(of: "a"), is: 0)
    }
}
