# Two commands matter: `make run` does the main job, `make test` runs all tests.

SESSIONS ?= Tests/SessionInteropTests/Fixtures/Sample
SOURCES   = Sources Backends Conformance Tests Package.swift
DEMO      = .build/demo

.PHONY: run test outside check bench lint format schema clean

# Saves real sessions with every backend, restores them in new processes, survives a kill.
# Another input: make run SESSIONS=/path/to/session/files
run:
	@bash .ci/dependencies
	swift build -c release --product sessionctl
	@mkdir -p $(DEMO) && cp Sources/sessionctl/Demo/storage.json $(DEMO)/
	@.build/release/sessionctl demo --config $(DEMO)/storage.json --sessions "$(SESSIONS)"

test: lint
	@bash .ci/dependencies
	swift test
	@$(MAKE) outside

# The package of an author elsewhere: a backend of its own, and the conformance suite.
outside:
	swift test --package-path Tests/OutsideBackend

# The conformance suite over the three backends, and over the suite's own faulty ones.
check:
	@bash .ci/dependencies
	swift build -c release --product storagecheck
	@.build/release/storagecheck
	@.build/release/storagecheck --verify-suite

# Ratios of saves and restores to what the disk itself costs.
bench:
	@bash .ci/dependencies
	swift build -c release --product storagebench
	@.build/release/storagebench --folder .build

lint:
	swift format lint --strict --recursive --parallel $(SOURCES)

format:
	swift format --in-place --recursive --parallel $(SOURCES)

# Generates the Swift of the protobuf schemas anew; needs protoc and protoc-gen-swift.
schema:
	protoc --swift_opt=Visibility=Internal --swift_opt=UseAccessLevelOnImports=true \
	    --swift_out=Sources/SessionInterop/ChromeIOS \
	    --proto_path=Sources/SessionInterop/ChromeIOS chrome_ios.proto
	protoc --swift_opt=Visibility=Internal --swift_opt=UseAccessLevelOnImports=true \
	    --swift_out=Tests/BrowserSessionsTests/Generated \
	    --proto_path=Sources/BrowserSessions/Codec records.proto

clean:
	rm -rf .build
