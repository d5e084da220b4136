# Fief: every target sets itself up and then does its work. `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

# What `lint` and `format` look at; an example or a benchmark may be missing in a partial checkout.
SWIFT_PATHS := $(wildcard Package.swift Sources Tests Examples Migrations Benchmarks Support Torture)
# `check` compiles with other flags than `test`. A directory of its own keeps both of them incremental.
WARNINGS := -Xswiftc -warnings-as-errors
CHECK_FLAGS := --scratch-path .build-check $(WARNINGS)
# How `demo` builds. The debug build is done in a third of the time, on both cores, and `test` goes on with it.
CONFIGURATION ?= debug
# What the demo is told: a debug build loads a third of Debian's packages, an optimized build loads all.
DEMO ?= $(if $(filter debug,$(CONFIGURATION)),--packages 20000)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

.PHONY: setup
setup: ## install what is missing from Debian: liblmdb-dev, libsodium-dev, libre2-dev, pkg-config, g++, iso-codes
	@scripts/setup pkg-config liblmdb-dev libsodium-dev libre2-dev g++ iso-codes

.PHONY: demo
demo: setup ## build the example application and run it on this machine's data; CONFIGURATION=release builds it optimized, FLAGS are those of the build
	swift build -c $(CONFIGURATION) --product petstore $(FLAGS)
	"$$(swift build -c $(CONFIGURATION) --show-bin-path)/petstore" demo $(DEMO)

.PHONY: test
test: setup ## build and run the tests; FLAGS are handed to swift, such as FLAGS='--filter QueueingTests'
	scripts/test $(FLAGS)

.PHONY: test-more
test-more: setup ## run the tests that repeat themselves in their long form: more seeds, rounds and objects
	FIEF_TEST_MORE=1 scripts/test $(FLAGS) --filter "$$(scripts/long-tests)"

.PHONY: realm-snippets
realm-snippets: ## type-check the snippets of Realm code with FiefRealm in both language modes; needs a debug build
	scripts/realm-snippets

.PHONY: test-model
test-model: setup ## compare random graphs with a plain model, 50 seeds of 10,000 operations, and random trees, 1,000 seeds of 300
	swift build -c release --product fief-model $(FLAGS)
	.build/release/fief-model

.PHONY: test-thread
test-thread: setup ## run the tests under the thread sanitizer, part by part, in an hour and a half; PARTS='FiefTests/Joint' chooses
	scripts/test-sanitized thread $(PARTS)

.PHONY: test-address
test-address: setup ## the same under the address sanitizer
	scripts/test-sanitized address $(PARTS)

.PHONY: torture
torture: setup ## break the library on purpose, about twenty minutes; FIEF_TORTURE_HOURS=8 for a night
	@scripts/setup xfsprogs || echo 'torture: without xfsprogs, power cuts of XFS are skipped'
	Torture/run $(FLAGS)

.PHONY: torture-short
torture-short: setup ## the same with fewer runs, in about three minutes
	Torture/run --short $(FLAGS)

.PHONY: check
check: setup lint ## lint, build with warnings as errors, test, build the documentation
	swift build --build-tests $(CHECK_FLAGS)
	scripts/test $(CHECK_FLAGS)
	scripts/docs .build-check $(WARNINGS)

.PHONY: docs
docs: setup ## build the documentation of all modules as one site, .build/docs/site, and check its links; FLAGS are those of the build
	scripts/docs .build $(FLAGS)

.PHONY: docs-serve
docs-serve: docs ## build the documentation and serve it at http://localhost:8080/; PORT is another one
	@scripts/setup python3
	@echo "http://localhost:$(or $(PORT),8080)/"
	@python3 -m http.server --bind 127.0.0.1 --directory .build/docs/site "$(or $(PORT),8080)"

.PHONY: bench
bench: ## measure against raw LMDB, SQLite and SQLCipher, about fifteen minutes; FLAGS are handed over
	@scripts/setup pkg-config liblmdb-dev g++ libsodium-dev libre2-dev libsqlite3-dev libsqlcipher-dev
	Benchmarks/run $(FLAGS)

.PHONY: bench-quick
bench-quick: ## the same with fewer objects and rounds, against raw LMDB, in about a minute and a half
	@scripts/setup pkg-config liblmdb-dev libsodium-dev libre2-dev g++
	Benchmarks/run --quick $(FLAGS)

.PHONY: bench-scale
bench-scale: ## how cost grows to 5 million objects, up to twenty minutes; FLAGS='--largest N' stops earlier
	@scripts/setup pkg-config liblmdb-dev libsodium-dev libre2-dev g++
	Benchmarks/run --scale $(FLAGS)

.PHONY: lint
lint: ## check the format of the sources, the words and sentences of comments and documents, the number of public declarations, starts of processes, the state of locks, the folders of a type's extensions, the layers, and the modules of the fuzzers
	swift format lint --strict --recursive --parallel $(SWIFT_PATHS)
	scripts/lint-words
	scripts/lint-sentences
	scripts/lint-processes
	scripts/lint-locks
	scripts/lint-surface
	scripts/lint-folders
	scripts/lint-layers
	Torture/Fuzzing/run modules

.PHONY: format
format: ## format the sources
	swift format --in-place --recursive --parallel $(SWIFT_PATHS)

.PHONY: clean
clean: ## remove everything that was built
	rm -rf .build .build-check .build-thread .build-address Benchmarks/.build
