#!/usr/bin/env bash
# What `swift build --static-swift-stdlib` of Swift 6.3 does where there are tests.
#
# The option links Swift's library into a program, so that it starts without a search for the symbols of a dozen shared
# ones. One would expect that it concerns linking, and that tests, which no other machine runs, are built as they
# always are. But it changes how every file is compiled: the compiler then looks for modules beside the static library
# alone, and there is none of Swift Testing there, nor of XCTest. So a package whose programs are built and run with
# the option has tests that do not even compile with it, and says only that there is no such module. Where they were
# built before without the option, that is not seen: they are not compiled again for it.
#
# Who wants programs as they are shipped, and tests that start them, has to build twice, in two folders.
set -euo pipefail

version=$(swift --version 2>/dev/null | grep -o 'Swift version 6\.3[0-9.]*' || true)
[ -n "$version" ] && [ "$(uname)" = Linux ] || exit 77

mkdir -p package/Sources/one package/Tests/OneTests
cd package
cat >Package.swift <<'END'
// swift-tools-version: 6.3
import PackageDescription
let package = Package(
    name: "one", targets: [.executableTarget(name: "one"), .testTarget(name: "OneTests")])
END
echo 'print("started")' >Sources/one/main.swift

# How a build ends, and which module it lacks.
build() {
    local code=0
    swift build "$@" >log 2>&1 || code=$?
    echo "ends with $code$(grep -o "no such module '[A-Za-z]*'" log | sort -u | sed 's/^/, /' || true)"
}
printf 'import Testing\n@Test func one() {}\n' >Tests/OneTests/One.swift
without=$(build --build-tests)
after=$(build --static-swift-stdlib --build-tests)
rm -rf .build
program=$(build --static-swift-stdlib --product one)
shared=$(ldd .build/debug/one | grep -c libswift || true)
testing=$(build --static-swift-stdlib --build-tests)
printf 'import XCTest\nfinal class One: XCTestCase { func testOne() {} }\n' >Tests/OneTests/One.swift
xctest=$(build --static-swift-stdlib --build-tests)

echo "$version, a package with a program and a test"
echo "--build-tests:                                             $without"
echo "--static-swift-stdlib, the program:                        $program, $shared shared libraries of Swift"
echo "--static-swift-stdlib --build-tests, of Swift Testing:     $testing"
echo "the same after a build without the option:                 $after"
echo "--static-swift-stdlib --build-tests, of XCTest:            $xctest"
[ "$without, $after" = 'ends with 0, ends with 0' ] && [ "$program, $shared" = 'ends with 0, 0' ] &&
    [ "$testing" = "ends with 1, no such module 'Testing'" ] &&
    [ "$xctest" = "ends with 1, no such module 'XCTest'" ]
