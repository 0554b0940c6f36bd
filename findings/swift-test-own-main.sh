#!/usr/bin/env bash
# What `swift test` of Swift 6.3 does with a package that has the entry point of its tests itself.
#
# SwiftPM takes Tests/XCTMain.swift for the main file of the test program, and then searches no index for tests of
# XCTest, which saves a package with tests of Swift Testing alone the index in each build. One would expect `swift test`
# to go on running them: it asks the program for tests of XCTest first, and for those of Swift Testing afterwards. But
# with such a file it asks once, and without the words --testing-library swift-testing by which the program could know
# what is wanted. A main function that answers to these words alone, as that of SwiftPM does, runs nothing, and
# `swift test` ends with 0: a test that fails is not seen any more. --disable-xctest makes no difference, since Swift
# Testing is only taken into account where it was found by the index; --enable-swift-testing has to be said.
#
# Who has such a file must run the tests also where the program gets no argument, and fail for --dump-tests-json, by
# which `swift test --filter` asks for a list.
set -euo pipefail

version=$(swift --version 2>/dev/null | grep -o 'Swift version 6\.3[0-9.]*' || true)
[ -n "$version" ] || exit 77

mkdir -p package/Tests/OneTests
cd package
cat >Package.swift <<'END'
// swift-tools-version: 6.3
import PackageDescription
let package = Package(name: "one", targets: [.testTarget(name: "OneTests")])
END
printf 'import Testing\n@Test func failing() { #expect(1 == 2) }\n' >Tests/OneTests/One.swift

# Prints how `swift test` ends, and of how many tests it tells.
run() {
    local code=0
    swift test "$@" >log 2>&1 || code=$?
    echo "ends with $code, $(grep -c 'Test run with 1 test' log || true) runs"
}
without=$(run)
rm -rf .build
cat >Tests/XCTMain.swift <<'END'
import Testing
@main struct Main {
    static func main() async {
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
END
with=$(run)
without_xctest=$(run --disable-xctest)
asked=$(run --disable-xctest --enable-swift-testing)

echo "$version, a package with one test that fails"
echo "no XCTMain.swift:                                       $without"
echo "with one:                                               $with"
echo "with one, --disable-xctest:                             $without_xctest"
echo "with one, --disable-xctest --enable-swift-testing:      $asked"
[ "$without" = 'ends with 1, 1 runs' ] && [ "$with" = 'ends with 0, 0 runs' ] &&
    [ "$without_xctest" = 'ends with 0, 0 runs' ] && [ "$asked" = 'ends with 1, 1 runs' ]
