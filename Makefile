# The project's commands; CI runs the same commands.

# Both packages share a build folder and a trait, so that switching between them recompiles nothing. An import without a
# declared dependency fails the build. Different options for traits (SHOWCASE, unit) prevent that SwiftPM takes one build plan
# for another: it only compares them.
FLAGS = --scratch-path .build --explicit-target-dependency-import-check error
CURLEW = $(FLAGS)
SHOWCASE = $(FLAGS) --package-path Showcase --enable-all-traits
# SwiftPM passes the enabled traits of some packages to the compiler in hash table order, and a changed order causes
# recompilation. Only for builds: tests rely on random hashing.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 swift build
# On Linux, CurlewSwiftUI and CurlewUIKit have no symbols, which the comparison treats as an error.
API_PRODUCTS = $(filter-out $(if $(filter Linux,$(shell uname)),CurlewSwiftUI CurlewUIKit),\
	$(shell grep -oE 'library.name: "[A-Za-z]+' Package.swift | cut -d '"' -f 2))
SWIFT_FILES = Package.swift Sources Showcase Tests Benchmarks/Package.swift Benchmarks/Sources

# Where `make install` installs the showcase; DESTDIR is for packages.
PREFIX = /usr/local
INSTALLED = $(DESTDIR)$(PREFIX)
RELEASE = $(SHOWCASE) -c release

.PHONY: run fleet install uninstall test unit lint format apple bench docs packages api

run:
	@Scripts/setup
	$(BUILD) $(SHOWCASE) --product showcase
	@.build/debug/showcase $(ARGS)

# The showcase as the command `showcase`, with completions and manual pages: `make install PREFIX=$HOME/.local`.
install:
	@Scripts/setup
	$(BUILD) $(RELEASE) --product showcase
	$(BUILD) $(RELEASE) --product generate-manual
	Scripts/install '$(INSTALLED)'

uninstall:
	cd '$(INSTALLED)' && rm -f bin/showcase share/man/man1/showcase.1 share/man/man1/showcase-*.1 \
	  share/bash-completion/completions/showcase share/zsh/site-functions/_showcase share/fish/vendor_completions.d/showcase.fish

# Three showcases behind nginx, with a Redis of their own; `make fleet PORT=9000` serves them on another port.
fleet:
	@Scripts/setup tests
	$(BUILD) $(SHOWCASE) --product showcase
	@Scripts/fleet $(PORT)

# `make test FILTER=SessionTests` runs a single suite, or all tests that match the expression.
test:
	@Scripts/setup tests
	$(BUILD) $(SHOWCASE) --build-tests
	$(BUILD) $(CURLEW) --build-tests
	@Scripts/test '$(FILTER)'

# The tests of Curlew's client and screens, without sockets, other processes and browsers; takes half a minute.
unit:
	@Scripts/setup
	CURLEW_UNIT=1 $(BUILD) $(CURLEW) --traits Development --build-tests
	@Scripts/test '$(FILTER)' unit

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_FILES)

# Type-checks the code for Apple's platforms; the first run takes a minute per platform.
apple:
	@Scripts/setup
	Scripts/check-apple

# The documentation of all products as a site in .build/docs. A warning of DocC is an error.
# With DOCS_BASE=curlew, its addresses begin with /curlew.
docs:
	@Scripts/setup
	DOCS_BASE='$(DOCS_BASE)' Scripts/docs

format:
	swift format --in-place --parallel --recursive $(SWIFT_FILES)

# `make bench ARGS="screens"` measures a single part, `ARGS="clients 3"` with three rounds.
bench:
	swift run -c release --package-path Benchmarks bench $(ARGS)

# Checks packages that depend on Curlew in the ways that users write them: their downloads and builds.
packages:
	Scripts/check-user-packages

# Compares the API with the newest tag's API: lists all breaking changes, and fails if there are any. Treats `package`
# symbols as API, too (SwiftPM issue 10010), and omits CurlewSupport, which is in no product.
api:
	@tag=$$(git describe --tags --abbrev=0 2> /dev/null) || \
	  { echo "No version is tagged yet: nothing to compare with."; exit 0; }; \
	Scripts/setup && \
	SWIFT_DETERMINISTIC_HASHING=1 swift package $(CURLEW) diagnose-api-breaking-changes "$$tag" \
	  --products $(API_PRODUCTS)
