import Expectations

@testable import BackendSelection

struct NearestNameTests {
    let names = ["sqlite", "leveldb", "directory", "memory"]

    @Test(arguments: [
        ("sqlit", "sqlite"), ("SQLite", "sqlite"), ("slqite", "sqlite"), ("sqlite3", "sqlite"),
        ("lvldb", "leveldb"), ("level", "leveldb"), ("dir", "directory"), ("memmory", "memory"),
    ])
    func typingErrorsAreFound(name: String, meant: String) {
        expect(NearestName.nearest(to: name, among: names), is: meant)
    }

    @Test(arguments: ["", "x", "rocksdb-cloud", "postgres", String(repeating: "sqlite", count: 50)])
    func otherNamesAreNot(name: String) {
        expect(NearestName.nearest(to: name, among: names) == nil)
        expect(NearestName.suggestion(for: name, among: names), is: "")
    }

    @Test func ofEquallyNearNamesTheFirstInTheAlphabetIsTaken() {
        expect(NearestName.nearest(to: "bat", among: ["cat", "bar"]), is: "bar")
        expect(NearestName.nearest(to: "bat", among: [String]()) == nil)
    }
}
