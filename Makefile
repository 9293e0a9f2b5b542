# The names people try first. `make help` lists them.

GAME ?= halma
CARGO ?= cargo
BIN := target/release

.PHONY: build run test check bench lint clean help

build: ## release build of everything (the default)
	$(CARGO) build --release --workspace

run: build ## play one move: the starting position, 2 s of CPU time, the board before and after (GAME=halma)
	@scripts/run $(GAME)

test: ## all tests
	$(CARGO) test --workspace

check: build ## run every inputs/GAME/*.txt with a node limit and compare with expected/GAME/*.txt
	@scripts/check

bench: build ## time to depth and nodes a second on fixed positions, beside the crate `minimax`
	@$(BIN)/bench

lint: ## formatting and clippy, warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

clean: ## remove everything that was built
	$(CARGO) clean
	rm -rf scratch

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-8s %s\n", $$1, $$2 }'
