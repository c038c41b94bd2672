# The commands of the project; CI calls exactly these.

# One folder of builds for both packages, with the same trait, so that going from one to the other compiles
# nothing again. An import that a manifest does not declare fails the build.
FLAGS = --scratch-path .build --explicit-target-dependency-import-check error
CURLEW = $(FLAGS) --traits Development
SHOWCASE = $(FLAGS) --package-path Showcase
# The enabled traits of some packages reach the compiler in the order of a hash table, and in another order
# they are compiled again. Only for builds: tests rely on hashes that differ.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 swift build
# On Linux CurlewSwiftUI and CurlewUIKit have no symbols, which the comparison takes for an error.
API_PRODUCTS = $(filter-out $(if $(filter Linux,$(shell uname)),CurlewSwiftUI CurlewUIKit),\
	$(shell grep -oE 'library.name: "[A-Za-z]+' Package.swift | cut -d '"' -f 2))
SWIFT_FILES = Package.swift Sources Showcase Tests Benchmarks/Package.swift Benchmarks/Sources

.PHONY: run test unit lint format apple bench packages api

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

# Compares the API with that of the newest tag: names each break, and fails if there are any. It takes `package` symbols
# for API, too (SwiftPM issue 10010), and leaves CurlewSupport out, which is in no product.
api:
	@tag=$$(git describe --tags --abbrev=0 2> /dev/null) || \
	  { echo "No version is tagged yet: nothing to compare with."; exit 0; }; \
	Scripts/setup && \
	CURLEW_API=1 SWIFT_DETERMINISTIC_HASHING=1 swift package $(CURLEW) diagnose-api-breaking-changes "$$tag" \
	  --products $(API_PRODUCTS)
