# The commands for people and for CI. They need Python 3.11 or later, git and make.
#
# What a command needs is set up first, in .venv, and again when a lock or pyproject.toml changes: what
# playing needs from requirements.lock, and what developing needs besides from requirements-dev.lock.
# Nothing is installed outside this folder.
#
#   make test ARGS='-k trick'     options for pytest
#   make test WORKERS=0           in one process, for a debugger or to see prints
#   make play PYTHON=/path/to/python3.13
#   make lock UPGRADE=1           with the newest versions of everything

VENV    := .venv
BIN     := $(VENV)/bin
PYTHON  ?=
WORKERS ?= auto
ARGS    ?=
UPGRADE ?=

PIP    := $(BIN)/python -m pip --disable-pip-version-check
# Without compiling: Python does that itself, and only for modules that are imported ("Preparing the server").
# Without looking at dependencies: a lock is complete, and pip would look for an extra (package[extra]) beyond the lock.
INSTALL := $(PIP) install --no-compile --no-deps --progress-bar off --require-hashes --requirement
STEP   := $(BIN)/python show_progress.py
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 8 --dist worksteal
CODE    = $(wildcard src tests bench training docs/conf.py *.py)
PAGE   := src/foretell/server/static/index.html
# The engine with which the page needs no server, or the fact that none can be built here.
ENGINE := .cache/engine/done
# The native library of the kernel, or the fact that none can be built here.
LIBRARY := src/foretell/kernel/backend/native/done

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help play site docs test test-training check format prove pictures translation bench golden lock clean programs

# Keeps Python packages from elsewhere on the machine out of the environment.
unexport PYTHONPATH
unexport PYTHONHOME
# Where this is set, every process compiles every module that it imports, and the tests start many processes.
unexport PYTHONDONTWRITEBYTECODE

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# Ctrl-C reaches make, this shell and the server. The shell waits for the server to stop and then exits
# with success, so that make reports no error.
play: $(VENV)/.installed $(LIBRARY) $(ENGINE) ## play in the browser: starts the server and opens the page
	@echo 'Starting the server'; interrupted=; trap 'interrupted=yes' INT; \
	$(BIN)/foretell serve $(ARGS); status=$$?; \
	if [ -n "$$interrupted" ]; then exit 0; fi; exit $$status

# A test that hangs fails after a quarter of an hour, and shows where it was.
test: $(VENV)/.developing $(LIBRARY) $(ENGINE) ## run the tests
	$(PYTEST) -o faulthandler_timeout=900 -o faulthandler_exit_on_timeout=true $(ARGS)

# With zig, so that the bots in a browser are as quick as they can be.
site: $(VENV)/.installed $(PAGE) ## write the page as a folder for any web host: make site TO=build/site
	@$(STEP) 'Building the engine for browsers' --show -- $(BIN)/python hatch_build.py zig engine
	@$(BIN)/foretell site $(or $(TO),build/site)

# A warning is an error: a link that leads nowhere stops the build. Reads all pages again each time (-E).
docs: $(VENV)/.developing $(LIBRARY) ## write the documentation as a site: build/docs/index.html
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -E docs build/docs
	@echo 'The site is in build/docs; open build/docs/index.html.'

# What the tests run and no Python package provides: real browsers for the page, and for the files in deploy/ the load
# balancers, compose and Prometheus' tool. On Debian, as root, this installs them; elsewhere it says what to install, and the
# tests say what they skip.
programs: ## install the browsers and balancers that the tests use (Debian, as root)
	@missing=; \
	command -v chromium >/dev/null || command -v google-chrome >/dev/null || missing="chromium"; \
	command -v WebKitWebDriver >/dev/null || missing="$$missing webkit2gtk-driver"; \
	command -v Xvfb >/dev/null || missing="$$missing xvfb"; \
	PATH="$$PATH:/usr/sbin"; \
	for each in nginx caddy openssl docker-compose; do \
	    command -v $$each >/dev/null || missing="$$missing $$each"; \
	done; \
	command -v promtool >/dev/null || missing="$$missing prometheus"; \
	[ -n "$$missing" ] || exit 0; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	        apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	else \
	    echo "Not installed:$$missing. On Debian and Ubuntu:  sudo apt install $$missing"; \
	fi

check: $(VENV)/.developing ## lint, formatting, types
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/python -m mypy $(CODE)

format: $(VENV)/.developing ## format the code as `make check` wants it
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

# The same tests, but those with a count (games played, messages fuzzed, examples tried) read
# FORETELL_PROVE and run many more. Only those: make prove ARGS='-m prove'
prove: $(VENV)/.developing $(LIBRARY) ## the long proofs: the same tests with far larger counts
	FORETELL_PROVE=1 $(PYTEST) $(ARGS)

# PyTorch is in no lock: its wheels bring CUDA along, which is several gigabytes. So it has an environment of its own, which
# sees the packages of the other one. A build without CUDA: make test-training TORCH=torch==2.13.0+cpu
TRAINING := .cache/training
TORCH    ?= torch
test-training: $(VENV)/.developing $(LIBRARY) $(TRAINING)/.installed ## run the tests of the learner, with PyTorch
	$(TRAINING)/bin/python -m pytest -n 0 tests/net/test_learner.py $(ARGS)

$(TRAINING)/.installed: | $(VENV)/.developing
	@$(BIN)/python -m venv --clear $(TRAINING)
	@$(BIN)/python -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' > \
	    "$$($(TRAINING)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/foretell-packages.pth"
	@$(STEP) 'Installing PyTorch' -- $(TRAINING)/bin/python -m pip --disable-pip-version-check install --progress-bar off $(TORCH)
	@touch $@

pictures: $(VENV)/.developing $(LIBRARY) $(ENGINE) ## make the pictures for the README
	$(BIN)/python tests/web/pictures.py

bench: $(VENV)/.developing $(LIBRARY) ## measure: run each program in bench/
	@set -e; found=; \
	for program in bench/[a-z]*.py; do \
	    [ -e "$$program" ] || continue; \
	    found=yes; echo "$$program"; $(BIN)/python "$$program" $(ARGS); \
	done; \
	[ -n "$$found" ] || echo "bench/ has no programs yet."

# What is missing or odd in src/foretell/i18n/$(TO).json; with PICTURES=1 also pictures of every screen, in build/translation.
translation: $(VENV)/.developing $(LIBRARY) $(ENGINE) ## check a translation: make translation TO=fr PICTURES=1
	@$(BIN)/python -m foretell.i18n.translate $(or $(TO),$(error which language? For example: make translation TO=fr)) $(if $(PICTURES),--pictures)

golden: $(VENV)/.developing $(LIBRARY) ## write the golden games again: read the diff before you commit it
	$(BIN)/python tests/golden/regenerate.py

clean: ## remove the environment, caches and everything built
	rm -rf $(dir $(LIBRARY)) $(VENV) .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

# The locks are for every platform and every Python from 3.11 on. They have versions and hashes, but no
# addresses: those come from the settings of pip and uv. Certificates are the system's, as with pip.
lock: ## write the locks from pyproject.toml
	@set -e; $(FIND_PYTHON); \
	if command -v uv >/dev/null; then uv=uv; else \
	    uv=.cache/uv/bin/uv; \
	    [ -x $$uv ] || { "$$python" -m venv --clear .cache/uv && \
	        .cache/uv/bin/python -m pip --disable-pip-version-check --quiet install uv; }; \
	fi; \
	compile() { \
	    UV_SYSTEM_CERTS=true $$uv pip compile pyproject.toml "$$@" \
	        --universal --python-version 3.11 --generate-hashes \
	        --no-emit-index-url --no-emit-find-links --no-emit-build-options \
	        --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade) --quiet; \
	}; \
	compile --group build --output-file requirements.lock; \
	compile --extra postgresql --constraint requirements.lock --output-file deploy/requirements.lock; \
	compile --group dev --extra data --extra envs --extra openspiel --extra plots --extra postgresql --constraint requirements.lock --output-file requirements-dev.lock; \
	if grep -nE '://|file:' requirements.lock requirements-dev.lock deploy/requirements.lock; then \
	    echo 'A lock names an address: see above.' >&2; exit 1; \
	fi

# Sets $python: PYTHON if given, otherwise the first Python that is new enough and can make a virtual
# environment. Each is run, not just looked up: some are wrappers that do not work.
define FIND_PYTHON
python=; bare=; old=; \
for each in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
    "$$each" -c '' 2>/dev/null || continue; \
    if ! "$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
        old="$${old:-$$each}"; \
    elif ! "$$each" -c 'import ensurepip, venv' 2>/dev/null; then \
        bare="$${bare:-$$each}"; \
    else \
        python="$$each"; break; \
    fi; \
done; \
if [ -z "$$python" ] && [ -n "$$bare" ]; then \
    version=$$("$$bare" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
    echo "$$bare is Python $$version, but it cannot make a virtual environment." >&2; \
    echo "On Debian and Ubuntu:  sudo apt install python$$version-venv" >&2; \
    echo "Elsewhere: install Python's venv and ensurepip modules. Then run make again." >&2; \
    exit 1; \
elif [ -z "$$python" ] && [ -n "$$old" ]; then \
    echo "Foretell needs Python 3.11 or later; $$old is $$("$$old" --version 2>&1)." >&2; \
    echo "Install a newer one, or say where it is:  make ... PYTHON=/path/to/python3" >&2; \
    exit 1; \
elif [ -z "$$python" ]; then \
    echo "Foretell needs Python 3.11 or later, and found none$(if $(PYTHON), at $(PYTHON))." >&2; \
    echo "On Debian and Ubuntu:  sudo apt install python3 python3-venv" >&2; \
    exit 1; \
fi
endef

# The page, built into the package; built again when its sources or the texts have changed.
$(PAGE): hatch_build.py $(wildcard src/foretell/i18n/*.json) $(shell find web -name node_modules -prune -o -type f -print) | $(VENV)/.installed
	@$(STEP) 'Building the page' -- $(BIN)/python hatch_build.py page

# The engine is in the page's folder, which is emptied when the page is built.
$(ENGINE): $(PAGE) engine_build.py requirements-browser.lock $(shell find src/foretell -path '*/server/static' -prune -o \( -name '*.py' -o -name '*.h' -o -name '*.bin' -o -name '*.json' \) -print)
	@mkdir -p $(@D)
	@$(STEP) 'Building the engine for browsers' --show -- $(BIN)/python hatch_build.py engine
	@touch $@

# The native library, built into the package; built again when a source that it is made from has changed.
$(LIBRARY): native_build.py $(shell find src/foretell/kernel src/foretell/bots/net src/foretell/envs/loop -name '*.py' -o -name '*.h') | $(VENV)/.installed
	@$(STEP) 'Compiling the bots and the simulator' --show -- $(BIN)/python native_build.py

# Made from scratch whenever the lock changes, so that a package removed from the lock is removed from
# the environment too.
$(VENV)/.locked: requirements.lock
	@set -e; $(FIND_PYTHON); \
	echo 'Setting up Foretell; this takes about a minute, once.'; \
	"$$python" show_progress.py "Making an environment in $(VENV) with $$("$$python" --version)" -- \
	    "$$python" -m venv --clear $(VENV); \
	$(STEP) 'Installing what Foretell needs' --lock $< -- $(INSTALL) $<; \
	touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml
	@$(STEP) 'Installing Foretell' -- $(PIP) install --no-deps --no-build-isolation --editable .
	@$(STEP) 'Preparing the server' -- $(BIN)/python -c 'import foretell.commands.serve'
	@touch $@

$(VENV)/.developing: requirements-dev.lock $(VENV)/.installed
	@$(STEP) 'Installing what the tests need' --lock $< -- $(INSTALL) $<
	@touch $@
