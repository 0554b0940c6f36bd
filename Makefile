# Two commands matter: `make run` does the main job, `make test` runs all tests.

SESSIONS ?= Tests/SessionInteropTests/Fixtures/Sample
SOURCES   = Sources Backends Conformance Tests Package.swift
# Of the example only what is kept in the repository: it is built in its own folder.
EXAMPLE   = Examples/WebKitBrowser/Package.swift Examples/WebKitBrowser/Sources
PROGRAMS  = demobrowser sessionctl storagebench storagecheck
DEMO      = .build-run/demo
PROMISES  = Sources/BrowserSessions/BrowserSessions.docc/Promises.md
# Where a sync costs nothing.
MEMORY    = $$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)
# What is known to fail is no error; the exit code 2 reports it all the same.
KNOWN     = --baseline Backends/expected-failures.txt || [ $$? = 2 ]

.PHONY: run test tools findings budget ratchet nightly outside webkit browsers picture postgresql \
    postgresql-ha check check-backends check-faults checker powerlab contract docs man bench lint \
    lint-format lint-waits lint-ratchet lint-measured format clean

# Saves sample sessions with every backend, restores them in new processes, survives a kill; then
# does the same with a small browser in the terminal.
# Another input: make run SESSIONS=/path/to/session/files
run:
	@bash .ci/tools --fast sessionctl demobrowser
	@mkdir -p $(DEMO) && cp Sources/sessionctl/Demo/storage.json $(DEMO)/
	@.build-run/release/sessionctl demo --config $(DEMO)/storage.json --sessions "$(SESSIONS)" \
	    --keep
	@.build-run/release/demobrowser tour --folder $(DEMO)
	@echo
	@echo "Next: look into a store that was just filled, browse yourself, begin a backend of your own."
	@echo "  .build-run/release/sessionctl list --config $(DEMO)/storage.json"
	@echo "  .build-run/release/demobrowser --storage sqlite:$(DEMO)/browser"
	@echo "  swift run storagecheck init MyBackend --path ../MyBackend"
	@echo "  swift run storagecheck --group SAVE,CLOSE"

# Only tests whose names match a pattern: make test FILTER=SaveTests
test:
	@bash .ci/dependencies
ifdef FILTER
	@bash .ci/tests "$(FILTER)"
else
	@bash .ci/tests
	@perl .ci/budget check .build-tests/costs
endif

# The four programs with optimization, in .build/release; some of them: make tools PROGRAMS="sessionctl"
tools:
	@bash .ci/tools $(PROGRAMS)

# What surprised about other software, tried once more; all of what one says: make findings NAME=…
findings:
	@bash .ci/findings $(NAME)

# What the last `make test` cost, by target and by suite, beside what it may. A clean clone shows the
# build, too. `make budget LOWER=1` lowers what fell.
budget:
	@perl .ci/budget $(if $(LOWER),lower,list) .build-tests/costs

# Where the numbers come from that only fall; `make ratchet LOWER=1` lowers what fell.
ratchet:
	@perl .ci/ratchet $(if $(LOWER),--lower,--list)

# What takes too long for each change, in parts, each with a log and a time of its own: make nightly PART=suite
# The parts: tests suite outside webkit browsers postgresql docs; by their names alone random powerlab cluster.
nightly:
	@bash .ci/nightly $(PART)

# Packages of authors elsewhere: a whole backend, and the beginning that storagecheck writes.
outside:
	@bash .ci/dependencies
	@bash .ci/outside

# A real browser with WebKitGTK, a package of its own: shows and checks without a display what comes
# back after a kill. What it costs: make webkit TOUR=measure
webkit:
	@bash .ci/webkit $(TOUR)

# Chromium and Firefox as judges: what they wrote is imported, what is exported they open.
browsers:
	@bash .ci/browsers

# Takes the picture of an exported page for the documentation anew; a test fails when it is out of date.
picture:
	@bash .ci/tools sessionctl
	@bash .ci/picture .build/release/sessionctl

# Profiles in a PostgreSQL server that is started for it: the main job, the whole suite, its own tests.
postgresql:
	@bash .ci/postgresql

# Three servers with Patroni; the primary is killed, frozen and cut off under load, RUNS times in each way.
postgresql-ha:
	@bash .ci/postgresql-ha $(RUNS)

# Rewrites the page of the contract; a test fails when it is out of date.
contract:
	swift run storagecheck list --format markdown \
	    --output Sources/BrowserSessions/BrowserSessions.docc/Contract.md

# The conformance suite over the three backends, and over the suite's own faulty ones.
check: check-backends check-faults
check-backends: checker
	.build-tests/release/storagecheck $(KNOWN)
check-faults: checker
	.build-tests/release/storagecheck verify-suite
checker:
	@bash .ci/tools --tests storagecheck

# More than 100,000 power cuts, and thousands of kills, failing calls and damaged files for each backend,
# and as root cuts of a real ext4 by the kernel; writes the page of what is promised, and how long that took.
powerlab:
	@bash .ci/tools storagecheck
	began=$$(date +%s); export TMPDIR=$(MEMORY); \
	    { .build/release/storagecheck --group CRASH,POWER,FAULT,RECOVERY --depth long --format promises \
	    --output $(PROMISES) $(KNOWN); } && perl .ci/measured --stamp $(PROMISES) $$((($$(date +%s) - began) / 60))

# The documentation of all libraries as one site, in .build/docs/site; a warning is an error. With the
# public symbols that have no comment: make docs COVERAGE=1
docs:
	@bash .ci/dependencies
	@bash .ci/docs $(if $(COVERAGE),--coverage)

# Man pages of the programs, in .build/man: man -M .build/man sessionctl-list
man:
	@bash .ci/tools $(PROGRAMS)
	@perl .ci/man .build/release .build/man $(PROGRAMS)

# What a browser's operations cost on every backend, beside what the disk itself costs: about two
# minutes. Other options: make bench BENCH="--quick --output bench.json"
bench:
	@bash .ci/tools storagebench
	@.build/release/storagebench --folder .build $(BENCH)

lint: lint-format lint-waits lint-ratchet lint-measured
lint-format:
	swift format lint --strict --recursive --parallel $(SOURCES) $(EXAMPLE)
lint-waits:
	@bash .ci/waits
	@bash .ci/waits Examples/WebKitBrowser/Sources
lint-ratchet:
	@perl .ci/ratchet
lint-measured:
	@perl .ci/measured

format:
	swift format --in-place --recursive --parallel $(SOURCES) $(EXAMPLE)

clean:
	rm -rf .build .build-run
