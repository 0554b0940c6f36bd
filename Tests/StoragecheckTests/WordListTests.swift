import CommandLineSupport
import Expectations

@Suite("Lists on the command line")
struct WordListTests {
    @Test func commasAndRepetitionAreTheSame() {
        let lists = ["a,b", " c ,", "b"].compactMap(WordList.init)
        expect(lists.words, is: ["a", "b", "c"])
    }

    @Test(arguments: ["", ",", " , "])
    func nothingIsNotEverything(text: String) {
        expect(WordList(argument: text) == nil)
    }
}
