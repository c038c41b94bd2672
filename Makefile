# The commands of the project; CI calls exactly these.

# One folder of builds for both packages, with the same trait, so that going from one to the other compiles
# nothing again. An import that a manifest does not declare fails the build.
FLAGS = --scratch-path .build --explicit-target-dependency-import-check error
CURLEW = $(FLAGS) --traits Development
SHOWCASE = $(FLAGS) --package-path Showcase
# The enabled traits of some packages reach the compiler in the order of a hash table, and in another order
# they are compiled again. Only for builds: tests rely on hashes that differ.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 swift build
SWIFT_FILES = Package.swift Sources Showcase Tests Benchmarks/Package.swift Benchmarks/Sources

.PHONY: run test unit lint format apple bench packages

run:
	@Scripts/setup
	$(BUILD) $(SHOWCASE) --product showcase
	@.build/debug/showcase $(ARGS)

# `make test FILTER=SessionTests` runs one suite, or whatever else the expression matches.
test:
	@Scripts/setup tests
	$(BUILD) $(SHOWCASE) --build-tests
	$(BUILD) $(CURLEW) --build-tests
	@Scripts/test '$(FILTER)'

# The tests of Curlew's client and screens, without sockets, other processes and browsers: half a minute.
unit:
	@Scripts/setup
	CURLEW_UNIT=1 $(BUILD) $(CURLEW) --build-tests
	@Scripts/test '$(FILTER)' unit

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)

# Type-checks what runs on Apple's platforms for those platforms; a minute for each at first.
apple:
	@Scripts/setup
	Scripts/check-apple

format:
	swift format --in-place --parallel --recursive $(SWIFT_FILES)

# `make bench ARGS="screens"` or `ARGS="clients 3"` measures a part, or in so many rounds.
bench:
	swift run -c release --package-path Benchmarks bench $(ARGS)

# Packages that depend on Curlew, as users write them: what they download, and that they build.
packages:
	Scripts/check-user-packages
