# The commands of the project; CI calls exactly these.

# An import that Package.swift does not declare fails the build.
CHECKED = --explicit-target-dependency-import-check error
# The enabled traits of some packages reach the compiler in the order of a hash table, and in another order
# they are compiled again. Only for builds: tests rely on hashes that differ.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 swift build $(CHECKED)
SWIFT_FILES = Package.swift Sources Showcase Tests Benchmarks/Package.swift Benchmarks/Sources

.PHONY: run test lint format bench packages

run:
	@Scripts/setup
	$(BUILD) --product showcase
	swift run --skip-build showcase $(ARGS)

# `make test FILTER=SessionTests` runs one suite, or whatever else the expression matches.
#
# As many tests at once as there are cores: with all at once, some wait longer for a core than they
# wait for a response.
test: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = $(shell getconf _NPROCESSORS_ONLN)
test:
	@Scripts/setup tests
	$(BUILD) --build-tests
	swift test --skip-build $(if $(FILTER),--filter '$(FILTER)')

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)

format:
	swift format --in-place --parallel --recursive $(SWIFT_FILES)

# `make bench ARGS="screens"` or `ARGS="clients 3"` measures a part, or in so many rounds.
bench:
	swift run -c release --package-path Benchmarks bench $(ARGS)

# Packages that depend on Curlew, as users write them: what they download, and that they build.
packages:
	Scripts/check-user-packages
