# What a person needs: make run, make test. `make help` lists the rest.

CONFIGURATION ?= release
CATALOG ?= Config/catalogs/rooms.yaml
DATA ?= ./data
# HOST:PORT of the public and of the operators' listener; empty for what the settings say.
LISTEN ?=
OPS ?=

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run build test e2e lint format check packages test-packages toolchain clean

help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  Variables of run: DATA=$(DATA) CATALOG=$(CATALOG) CONFIGURATION=$(CONFIGURATION) LISTEN= OPS="

run: build ## Install what is missing, build and start Belfry for development
	@exec .build/$(CONFIGURATION)/belfry serve --dev --data $(DATA) --catalog $(CATALOG) \
		$(if $(LISTEN),--listen $(LISTEN)) $(if $(OPS),--ops $(OPS))

build: packages toolchain ## Build the program
	swift build -c $(CONFIGURATION) --product belfry

# The tests come last, so that their own closing lines are the last ones.
test: test-packages toolchain lint check ## Install what is missing, check the code and run all tests
	swift build --build-tests
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/debug/belfry
	swift test --skip-build --disable-xctest

e2e: build test-packages ## Run the built program as backends, apps and phones use it
	"$$(scripts/python-with-websockets)" Tests/EndToEnd/run.py --belfry .build/$(CONFIGURATION)/belfry

lint: toolchain ## Check the format of the code
	swift format lint --strict --parallel --configuration .swift-format -r Sources Tests Package.swift

format: toolchain ## Format the code
	swift format --in-place --parallel --configuration .swift-format -r Sources Tests Package.swift

check: toolchain ## Check the lengths of files and the picture of the targets
	scripts/check-files
	scripts/check-structure

clean: ## Remove what was built
	rm -rf .build

packages:
	@scripts/install-packages build

test-packages:
	@scripts/install-packages test

toolchain:
	@scripts/check-toolchain
