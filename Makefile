# Two commands matter: `make run` does the main job, `make test` runs all tests.

SESSIONS ?= Tests/SessionInteropTests/Fixtures/Sample
SOURCES   = Sources Backends Conformance Tests Package.swift
DEMO      = .build/demo

.PHONY: run test bench check lint format schema clean

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

# Ratios of saves and restores to what the disk itself costs.
bench:
	@bash .ci/dependencies
	swift build -c release --product storagebench
	@.build/release/storagebench --folder .build

# Every requirement on every backend, each case in a process of its own.
check:
	@bash .ci/dependencies
	swift run storagecheck

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
