# The names people try first. `make help` lists them.

GAME ?= halma
CARGO ?= cargo
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
BIN := target/make
BUILT = $(abspath $(or $(CARGO_TARGET_DIR),target))
# research/ is a workspace of its own, whose programs lie beside the others.
RESEARCH = CARGO_TARGET_DIR=$(BUILT) $(CARGO)
RESEARCHED = --manifest-path research/Cargo.toml
# Programs that are built elsewhere are not built again: make test-python PROGRAMS=/usr/local/bin
PROGRAMS ?=
TESTED = $(abspath $(or $(PROGRAMS),$(BIN)))

.PHONY: build run test test-others test-all test-league test-platforms test-windows test-arm test-web test-site test-python wasm site play wheel check soak fuzz learn tables tables-foxgame prove prove-wolves prove-foxgeese bench score score-all slurm-demo lint platforms miri dist dist-all dist-check install uninstall container league clean help help-all

build: ## the judge and the agents (the default)
	$(CARGO) build --profile make --package judge
	@scripts/static-agents

# What other targets need besides.
.PHONY: solve lab two-foxes
solve:
	$(CARGO) build --profile make --package solver
# Beside the agents, which it asks.
lab:
	$(RESEARCH) build $(RESEARCHED) --profile make --package lab
two-foxes:
	$(RESEARCH) build $(RESEARCHED) --profile make --package two-foxes

league: ##+ the program of a course's standing competition (docs/league.md)
	$(CARGO) build --profile make --package league

run: ## play one move and show it: GAME=halma; builds that agent alone
	@scripts/run $(GAME)

# What compiling again after a change would need takes more disk than all else, and is of no use to a run of everything. Many tests
# wait for clocks and other programs: twice as many run at a time as there are processors.
test: ## the tests; the last lines say what is left out and why
	@CARGO_INCREMENTAL=0 RUST_TEST_THREADS=$${RUST_TEST_THREADS:-$$((2 * $(JOBS)))} CARGO="$(CARGO)" scripts/test

test-others: ##+ the tests of the league, the solver and the page, which make test leaves out
	@CARGO_INCREMENTAL=0 RUST_TEST_THREADS=$${RUST_TEST_THREADS:-$$((2 * $(JOBS)))} CARGO="$(CARGO)" scripts/test $$(scripts/other-packages)

test-all: ## what make test leaves out (needs browsers, languages)
	@scripts/test-all

test-league: ##+ test the league with real programs, faults and attacks (needs python3, postgresql), and a small simulated term (some minutes)
	$(CARGO) test --package league --test suite -- --ignored
	$(RESEARCH) test $(RESEARCHED) --package lab --test lab -- --ignored term::

test-web: build league ##+ test the pages of replays, of a class, of the monitor and of a league in a real browser (needs chromium, node and npm)
	$(CARGO) test --package judge --test suite -- --ignored browser
	@tests/browser/run --bin $(BIN) /replay /league

wasm: build ##+ the games as WebAssembly modules in target/wasm, compared with the agents (needs the target wasm32-unknown-unknown and node)
	@scripts/site --modules
	@node tests/browser/compare-modules.mjs $(BUILT)/wasm $(BIN)

site: ##+ the page that plays the games, in site/, for any web server (needs the target wasm32-unknown-unknown; docs/browser.md)
	@scripts/site

play: build site ## play in a browser on this machine
	@$(BIN)/judge play --site site $(ARGS)

test-site: site build ##+ play on that page in a real browser: clicks, keys, touch (needs chromium, node and npm)
	@tests/browser/run --bin $(BIN) /start /visit /tasks /words /mouse /play /study /layout /puzzles /mends /bench /records

wheel: ##+ Menagerie for Python, in target/wheels: the module, and the programs beside it (needs python3; docs/python.md)
	@scripts/wheel

test-python: $(if $(PROGRAMS),,build) ##+ build the Python module, install it into a virtual environment, and test it there (ARGS goes to pytest; needs python3 and its venv)
	@rm -f $(BUILT)/python/tested/*.whl
	@scripts/wheel --out $(BUILT)/python/tested module
	@$(BUILT)/python/environment/bin/pip install -q --disable-pip-version-check --force-reinstall --no-deps $(BUILT)/python/tested/menagerie_games-*.whl
	@cd crates/python && MENAGERIE_PROGRAMS=$(TESTED) $(BUILT)/python/environment/bin/python -m pytest -q -p no:cacheprovider $(ARGS)

check: build ## compare the answers on inputs/ with expected/
	@scripts/check

tables: build solve ## exact tables of Wolves and Sheep (docs/wolves.md)
	@$(BIN)/solve wolves --wolves 2 --sheep 12 --out $(BIN)/tables

tables-foxgame: build solve ##+ FoxGame's endings beside the agents: one fox, 9 sheep (1 min of CPU, 0.5 GB; docs/foxgame.md)
	@$(BIN)/solve foxgame --sheep 9 --out $(BIN)/tables

prove: prove-wolves prove-foxgeese ##+ re-check the stored wins of Wolves and Sheep and of Foxes and Geese by the rules alone: every line, no repetition

prove-wolves: ##+ only the sheep's win from figure 1
	$(CARGO) test --package wolves --test suite -- --nocapture proof::the_sheep_win_figure_1

bench: lab ##+ every game's search on fixed positions: the node sum, and seconds
	@$(BIN)/lab bench $(ARGS)

# Lost points (exit code 1) are a result: the reports tell them, and make does not call them an error.
score: build ## grade our agents, or AGENT="python3 homework.py" GAME=halma
	@scripts/score --jobs $(JOBS) $(if $(AGENT),--agent "$(AGENT)") \
		$(if $(AGENT)$(filter-out file,$(origin GAME)),$(GAME)) -- $(ARGS) || { code=$$?; [ $$code -eq 1 ] || exit $$code; }

score-all: build ## grade DIR=submissions, a folder a student: CMD="python3 hw.py"
	@test -n "$(DIR)" || { echo 'which submissions? make score-all DIR=submissions GAME=halma CMD="python3 homework.py"' >&2; exit 2; }
	@$(BIN)/judge grade-all --game $(GAME) "$(DIR)" $(if $(CMD),--cmd "$(CMD)",$(if $(wildcard $(DIR)/intake.toml),,--own-commands)) --concurrency $(JOBS) \
		--resume --csv scratch/score/grades.csv --reports scratch/score/reports --page scratch/score/class.html $(ARGS)

slurm-demo: build two-foxes ##+ play a tournament as a job array on a real Slurm of one node, started and ended here (needs slurm-wlm, munge, root)
	@tests/slurm-demo

prove-foxgeese: solve ##+ re-check the geese's winning strategy by the rules alone
	@$(BIN)/solve foxgeese --check embedded

soak: build lab ##+ random, self-played and hand-made positions, short clocks, every answer checked (SECONDS=600, N= answers at most; KILL=1 kills the agents instead)
	@$(BIN)/lab soak --seconds $(or $(SECONDS),600) $(if $(N),--questions $(N)) $(if $(KILL),--kill) $(ARGS)

fuzz: ##+ fuzz every parser, one target after the other (SECONDS=600 each, TARGETS="halma monitor"; needs nightly and cargo-fuzz)
	@fuzz/run --seconds $(or $(SECONDS),600) $(TARGETS)

learn: lab ##+ learn Halma's evaluation from the agent's own games (GAME=halma ITERATIONS=8 GAMES=600 JOBS=2; docs/halma.md)
	@$(BIN)/lab learn --game $(GAME) --directory scratch/learn/$(GAME) --iterations $(or $(ITERATIONS),8) \
		--games $(or $(GAMES),600) --jobs $(JOBS) $(ARGS)

lint: ## formatting, clippy, documentation; warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path crates/python/Cargo.toml --check
	$(CARGO) fmt --all --manifest-path research/Cargo.toml --check
	@for folder in crates/python crates/web/bindgen fuzz research; do \
		$(CARGO) metadata --quiet --locked --format-version 1 --manifest-path $$folder/Cargo.toml > /dev/null || exit 1; done
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings -A rustdoc::bare-urls" $(CARGO) doc --workspace --no-deps --document-private-items --quiet --features engine/conformance
	@$(CARGO) xtask circles
	@scripts/test-docs --paths
	@if command -v cargo-deny > /dev/null; then for manifest in Cargo.toml crates/python/Cargo.toml research/Cargo.toml; do \
		$(CARGO) deny --log-level error --locked --manifest-path $$manifest --config deny.toml \
		check licenses bans sources || exit 1; done; \
		else echo "cargo-deny is not installed: licences, bans and sources of dependencies were not checked (cargo install --locked cargo-deny)"; fi

test-platforms: ##+ make the archives for Windows and aarch64 Linux, and use them as the next two do (musl-tools besides)
	$(CARGO) xtask dist --add --platforms aarch64-linux,x86_64-windows dist
	@scripts/test-platforms

test-windows: ##+ use the programs of the Windows archive in dist/ under Wine (needs wine64, cargo-zigbuild, ziglang)
	@scripts/test-platforms windows

test-arm: ##+ use the programs of the archive for aarch64 Linux in dist/ in a machine of qemu (needs qemu-system-arm, ziglang, Debian)
	@scripts/test-platforms arm

# No line of the sources is for one processor of macOS alone.
platforms: ##+ compile the agents, solve and the judge for Windows and macOS, whose targets rustup adds (nothing is linked)
	rustup target add x86_64-pc-windows-gnu aarch64-apple-darwin
	$(CARGO) check --quiet --target x86_64-pc-windows-gnu --target aarch64-apple-darwin $(addprefix --package=,$(shell scripts/games) solver judge)

# rayon's queues (crossbeam-epoch) keep the rules of tree borrows, but not those of stacked borrows.
miri: export CARGO_TARGET_DIR = $(BUILT)/miri
miri: export MIRIFLAGS = -Zmiri-disable-isolation -Zmiri-ignore-leaks
miri: ##+ run unsafe code and shared memory under Miri (needs nightly with its components miri and rust-src)
	cargo +nightly miri test -p engine --test suite table::
	cargo +nightly miri test -p engine --lib search::table
	cargo +nightly miri test -p squirrels --lib -- exact::table exact::zeroed exact::machine
	MIRIFLAGS="$$MIRIFLAGS -Zmiri-tree-borrows" cargo +nightly miri test -p solver --lib retrograde

dist: ##+ the archive for x86-64 Linux, in dist/ (needs musl-tools)
	@$(CARGO) xtask dist dist

dist-all: ##+ archives for x86-64 and aarch64 Linux, Windows, x86-64 and aarch64 macOS in dist/ (needs musl-tools, cargo-zigbuild, ziglang)
	@$(CARGO) xtask dist --platforms all dist

dist-check: ##+ unpack the archive of make dist in a root with nothing else, and play, judge and grade there (needs user namespaces)
	@scripts/dist-check dist

install: ## programs, manual pages, completions into PREFIX=/usr/local; make uninstall removes them
	$(CARGO) build --release --package judge --package league --package solver --package manuals
	@scripts/static-agents --release
	@rm -rf target/stage && mkdir -p target/stage/bin
	@install -s -t target/stage/bin $(addprefix target/release/,$(shell scripts/games) judge solve league)
	@target/release/manuals target/stage/share
	@scripts/install --from target/stage --prefix "$(PREFIX)"

uninstall: ##+ remove what make install put there
	@scripts/install --prefix "$(PREFIX)" --uninstall

container: ## a container of the judge (podman or docker; CONTRIBUTING.md)
	@engine=$$(command -v podman || command -v docker) || { echo "podman: missing, and docker as well; install one of them" >&2; exit 2; }; \
		$$engine build --tag menagerie-judge --file Containerfile $(if $(BASE),--build-arg BASE="$(BASE)") --build-arg LANGUAGES="$(LANGUAGES)" $(ARGS) dist

clean: ## remove everything that was built
	$(CARGO) clean
	rm -rf scratch

# By who needs them: graders, players, whoever installs, makers.
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ text[$$1] = $$2 } END { \
		split("For graders:|build run score score-all check||For players:|play tables||To install:|install container||For makers:|test test-all lint clean help", parts, "|"); \
		for (n = 1; n in parts; n += 3) { print parts[n]; count = split(parts[n + 1], names, " "); \
			for (m = 1; m <= count; m++) printf "  make %-10s %s\n", names[m], text[names[m]] } \
		print "  make help-all   the other targets for makers" }'

help-all:
	@grep -hE '^[a-z-]+:.*##[+] ' $(MAKEFILE_LIST) | awk -F ':.*##[+] ' '{ printf "  make %-16s %s\n", $$1, $$2 }'
