# What a person needs: make run, make test. `make help` lists the rest.

CONFIGURATION ?= release
CATALOG ?= Config/catalogs
DATA ?= ./data
# HOST:PORT of the public and of the operators' listener; empty for what the settings say.
LISTEN ?=
OPS ?=
# More flags of each build; all builds of a run need the same, or one makes the other's work anew.
BUILD_FLAGS ?=
export BUILD_FLAGS
# How long each fuzz target runs; FUZZ_RUNS is a number of inputs instead of a time.
FUZZ_SECONDS ?= 60
FUZZ_RUNS ?=
# How many events a simulation has.
EVENTS ?= 1000000
SEED ?= 1
# How long `make soak` takes.
MINUTES ?= 360

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run cluster build test test-postgres test-cluster test-events test-polls test-pollers answers-long outage-long damage-long power-long test-long histories-long e2e client-tests client-crowd client-repeats browser-tests budgets budgets-update trials-long soak overload simulate simulate-long benchmarks-short benchmarks-quick specifications specifications-short specifications-long conformance conformance-short docs deb tarball packages-long fuzz fuzz-short sanitize sanitize-long lint format check packages test-packages client-packages cluster-packages budget-packages benchmark-packages packaging-packages toolchain clean

help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  Variables of run: DATA=$(DATA) CATALOG=$(CATALOG) CONFIGURATION=$(CONFIGURATION) LISTEN= OPS="

run: build ## Install what is missing, build and start Belfry for development
	@exec .build/$(CONFIGURATION)/belfry serve --dev --data $(DATA) --catalog $(CATALOG) \
		$(if $(LISTEN),--listen $(LISTEN)) $(if $(OPS),--ops $(OPS))

cluster: build cluster-packages ## Start three nodes on one PostgreSQL, behind HAProxy, for development
	@exec scripts/cluster --belfry .build/$(CONFIGURATION)/belfry --data $(DATA)/cluster --catalog $(CATALOG)

# As in the image, Swift's own libraries are part of the program: it runs without a toolchain, and calls them directly.
# STATIC= leaves them out.
STATIC ?= $(if $(filter release,$(CONFIGURATION)),--static-swift-stdlib)

build: packages toolchain ## Build the program
	swift build $(BUILD_FLAGS) -c $(CONFIGURATION) $(STATIC) --product belfry

# The tests come last, so that their own closing lines are the last ones.
test: test-packages client-packages packaging-packages toolchain lint check ## Install what is missing, check the code and run all tests
	node --test clients/js/tests/
	swift build $(BUILD_FLAGS) --build-tests
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/debug/belfry
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/debug/belfry --store postgres database nodes affinity resume batches migrate outbox epochs point_in_time
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/debug/belfry --cluster resume acknowledgements
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/debug/belfry --cluster --polling sessions
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/debug/belfry --events resume feeds slow_readers
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/debug/belfry --poll resume feeds
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/debug/belfry --poller dispatch sessions feeds leaving
	python3 Tests/Trials/judge_test.py
	"$$(scripts/python-with-websockets)" Tests/Trials/run.py --belfry .build/debug/belfry --kills 20 --pauses 4 --cuts 4
	"$$(scripts/python-with-websockets Tests/Browser/requirements.txt)" Tests/Browser/run.py --belfry .build/debug/belfry
	"$$(scripts/python-with-websockets Tests/Browser/requirements.txt)" Tests/Browser/run.py --belfry .build/debug/belfry --store postgres console_cluster
	python3 Tests/Conformance/run.py --belfry .build/debug/belfry
	"$$(scripts/python-with-websockets Tests/Specifications/requirements.txt)" Tests/Specifications/run.py --belfry .build/debug/belfry
	python3 Tests/Documentation/run.py
	"$$(scripts/python-with-websockets Tests/Packaging/requirements.txt)" Tests/Packaging/run.py --belfry .build/debug/belfry
	scripts/postgres-for-tests scripts/swift-tests

test-long: packages toolchain ## Run the Swift tests with all seeds of their random histories, some twenty minutes
	swift build $(BUILD_FLAGS) --build-tests
	BELFRY_LONG=1 scripts/swift-tests

histories-long: packages toolchain ## Run long histories on SQLite and on the reference engine, to compare the two
	swift build $(BUILD_FLAGS) --build-tests
	BELFRY_LONG=1 scripts/swift-tests --filter DeliveriesTests

e2e: build test-packages ## Run the built program as backends, apps and phones use it
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/$(CONFIGURATION)/belfry

test-postgres: build test-packages ## The same with the store in PostgreSQL
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --store postgres --belfry .build/$(CONFIGURATION)/belfry

test-cluster: build test-packages cluster-packages ## The same with three nodes behind HAProxy, which listen and then poll
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --cluster --belfry .build/$(CONFIGURATION)/belfry
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --cluster --polling --belfry .build/$(CONFIGURATION)/belfry

test-events: build test-packages ## The same with clients that have event streams in the place of WebSockets
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --events --belfry .build/$(CONFIGURATION)/belfry

test-pollers: build test-packages ## The cases to which the poller matters, with the portable one
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --poller dispatch --belfry .build/$(CONFIGURATION)/belfry

test-polls: build test-packages ## The same with clients that poll
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --poll --belfry .build/$(CONFIGURATION)/belfry

answers-long: build test-packages ## Race ten thousand questions with four devices each, while the server is killed
	QUESTIONS=10000 "$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/$(CONFIGURATION)/belfry "of four devices"

outage-long: build test-packages ## An identity provider is down for an hour, while sessions come and go
	OUTAGE=3600 "$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/$(CONFIGURATION)/belfry --slow "down for long"

damage-long: build test-packages ## Damage two hundred stores at random: each damage is noticed, or does no harm
	DAMAGES=200 "$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/$(CONFIGURATION)/belfry "damaged at random"

power-long: build test-packages ## The power fails 150 times, and the disk loses what was not synced
	POWER_CUTS=150 POWER_SEED=$(SEED) "$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/$(CONFIGURATION)/belfry "power fails"

client-repeats: packages toolchain ## Run the Swift client's scenarios and histories fifty times in a row
	swift build $(BUILD_FLAGS) --build-tests
	for round in $$(seq 50); do scripts/swift-tests --filter 'ScenarioTests|HistoryTests' || exit 1; done

client-tests: client-packages ## Run the JavaScript client's tests, and check its types, its size and what is built of it
	node --test clients/js/tests/

client-crowd: client-packages ## Run ten thousand JavaScript clients without a server for ten minutes of simulated time; takes two minutes
	CROWD=10000 node --test --test-name-pattern='ten minutes' clients/js/tests/crowds.test.js

browser-tests: build test-packages client-packages ## Run the JavaScript client in Chromium, against the built program
	"$$(scripts/python-with-websockets Tests/Browser/requirements.txt)" Tests/Browser/run.py --belfry .build/$(CONFIGURATION)/belfry
	"$$(scripts/python-with-websockets Tests/Browser/requirements.txt)" Tests/Browser/run.py --belfry .build/$(CONFIGURATION)/belfry --store postgres console_cluster

conformance: build test-packages ## Run the whole Autobahn suite: both roles and pollers, also encrypted
	python3 Tests/Conformance/run.py --profile full --belfry .build/$(CONFIGURATION)/belfry

conformance-short: build test-packages ## Run all its cases once, with few messages in the long ones
	python3 Tests/Conformance/run.py --belfry .build/$(CONFIGURATION)/belfry

budgets: build budget-packages ## Count the instructions of the hot paths, against their budgets
	"$$(scripts/python-with-websockets)" Tests/Budgets/run.py --belfry .build/$(CONFIGURATION)/belfry

budgets-update: build budget-packages ## Count them, and keep the counts as the new budgets
	"$$(scripts/python-with-websockets)" Tests/Budgets/run.py --belfry .build/$(CONFIGURATION)/belfry --update

trials-long: build cluster-packages ## Kill, stop and cut off the program 1,400 times, then three nodes 200 times, in an hour
	"$$(scripts/python-with-websockets)" Tests/Trials/run.py --belfry .build/$(CONFIGURATION)/belfry --kills 1000 --pauses 200 --cuts 200 --seed $(SEED)
	"$$(scripts/python-with-websockets)" Tests/Trials/run.py --belfry .build/$(CONFIGURATION)/belfry --cluster --kills 80 --pauses 40 --cuts 80 --seed $(SEED)

soak: build test-packages ## Run for MINUTES (six hours) under mixed load with a fault a minute, and tell what grows
	"$$(scripts/python-with-websockets)" Tests/Trials/run.py --belfry .build/$(CONFIGURATION)/belfry --minutes $(MINUTES) --kills 0 --pauses $$(($(MINUTES) / 2)) --cuts $$(($(MINUTES) / 2)) --seed $(SEED)

overload: build test-packages ## Ask five times as much of a server as it can do: publishes, connects, polls and pushes
	"$$(scripts/python-with-websockets)" Tests/Trials/overload.py --belfry .build/$(CONFIGURATION)/belfry

simulate: packages toolchain ## Run Belfry in simulated time with faults, and see that planted mistakes are found
	swift build $(BUILD_FLAGS) -c $(CONFIGURATION) $(STATIC) --product simulate
	.build/$(CONFIGURATION)/simulate --seed $(SEED) --mistakes & mistakes=$$!; \
	.build/$(CONFIGURATION)/simulate --seed $(SEED) --events $(EVENTS); \
	code=$$?; wait $$mistakes && exit $$code

simulate-long: ## The same with a hundred million events
	$(MAKE) simulate EVENTS=100000000

benchmarks-short: build benchmark-packages ## Run every measurement, small and short: whether it still works
	python3 Benchmarks/run.py short --belfry .build/$(CONFIGURATION)/belfry >/dev/null

benchmarks-quick: build benchmark-packages ## The same without those that take more than ten seconds
	python3 Benchmarks/run.py short --quick --belfry .build/$(CONFIGURATION)/belfry >/dev/null

docs: ## Render the documentation as a site in .build/site; a warning or a broken link is a failure
	@scripts/install-packages documentation
	scripts/render-docs

# SOURCE_DATE_EPOCH dates what is packaged; without it, the last commit does.
PACKAGED := .build/packages

deb: build packaging-packages ## Make the Debian package, and one with the symbols, in .build/packages
	scripts/make-deb .build/release/belfry --output $(PACKAGED)

tarball: build packaging-packages ## Make a tarball that runs without any package, with checksums and a list of its parts
	scripts/make-tarball .build/release/belfry --output $(PACKAGED)

packages-long: deb tarball ## Try both, and the image's steps, in a clean Debian, as root; takes five minutes
	@scripts/install-packages clean
	lintian --fail-on error,warning $$(ls -t $(PACKAGED)/belfry_*.deb | head -n 1)
	scripts/try-deb $$(ls -t $(PACKAGED)/belfry_*.deb | head -n 1)
	scripts/try-systemd $$(ls -t $(PACKAGED)/belfry_*.deb | head -n 1)
	scripts/try-tarball $$(ls -t $(PACKAGED)/belfry-*.tar.xz | head -n 1)
	scripts/try-image .build/release/belfry

specifications: packages toolchain ## Make the specifications anew, and put them into the program
	swift build $(BUILD_FLAGS) --product belfry
	"$$(scripts/python-with-websockets)" scripts/specifications
	scripts/embed-client-files >/dev/null
	swift build $(BUILD_FLAGS) --product belfry

specifications-short: test-packages toolchain ## Make up some requests from the specifications, and judge the answers
	swift build $(BUILD_FLAGS) --product belfry
	"$$(scripts/python-with-websockets Tests/Specifications/requirements.txt)" Tests/Specifications/run.py

specifications-long: test-packages toolchain ## The same with 2,000 requests to each route, in a quarter of an hour
	swift build $(BUILD_FLAGS) --product belfry
	"$$(scripts/python-with-websockets Tests/Specifications/requirements.txt)" Tests/Specifications/run.py --examples 2000 --seed $$(date +%s)

fuzz: packages toolchain ## Feed the parsers made-up input, FUZZ_SECONDS or FUZZ_RUNS each
	scripts/fuzz $(if $(FUZZ_RUNS),--runs $(FUZZ_RUNS),--seconds $(FUZZ_SECONDS))

fuzz-short: packages toolchain ## Those that need no node and no store, soon built and two seconds each, for every change
	scripts/fuzz --parsers --quick --seconds 2

sanitize: packages toolchain ## Run the tests of sockets and sessions under the thread and address sanitizers
	scripts/sanitize thread
	scripts/sanitize address

sanitize-long: packages test-packages toolchain ## Run the end-to-end cases against the program with each of the sanitizers
	scripts/sanitize thread --end-to-end
	scripts/sanitize address --end-to-end

lint: toolchain ## Check the format of the code
	swift format lint --strict --parallel --configuration .swift-format -r Sources Tests Fuzz Package.swift

format: toolchain ## Format the code
	swift format --in-place --parallel --configuration .swift-format -r Sources Tests Fuzz Package.swift

check: toolchain ## Check the lengths of files and the picture of the targets
	scripts/check-files
	scripts/check-structure

clean: ## Remove what was built
	rm -rf .build

packages:
	@scripts/install-packages build

test-packages:
	@scripts/install-packages test

client-packages:
	@scripts/install-packages clients

cluster-packages: packages
	@scripts/install-packages cluster

budget-packages: test-packages
	@scripts/install-packages budgets

benchmark-packages: test-packages
	@scripts/install-packages benchmarks

packaging-packages:
	@scripts/install-packages packaging

toolchain:
	@scripts/check-toolchain
