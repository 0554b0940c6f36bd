import Testing

/// The program that `swift build --build-tests` makes. Without a file of this name, SwiftPM looks for tests of
/// XCTest, and there are none, in an index of all sources that the compiler has to write.
@main
struct Runner {
    static func main() async {
        // `swift test` runs the program once for each library.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
