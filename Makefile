# The commands of the project; CI calls exactly these.

# An import that Package.swift does not declare fails the build.
CHECKED = --explicit-target-dependency-import-check error
SWIFT_FILES = Package.swift Sources Showcase Tests Benchmarks/Package.swift Benchmarks/Sources

.PHONY: run test lint format bench packages

run:
	@Scripts/setup
	swift run $(CHECKED) showcase $(ARGS)

# `make test FILTER=SessionTests` runs one suite, or whatever else the expression matches.
#
# As many tests at once as there are cores: with all at once, some wait longer for a core than they
# wait for a response.
test: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = $(shell getconf _NPROCESSORS_ONLN)
test:
	@Scripts/setup tests
	swift build --build-tests $(CHECKED)
	swift test --skip-build $(CHECKED) $(if $(FILTER),--filter $(FILTER))

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
