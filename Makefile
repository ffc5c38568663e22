# Two commands: 'make suite' runs the default comparison and writes its report, 'make test' passes all tests.
# Both install what they need first (packages.txt; root or sudo), and both can be run again.
SHELL := /bin/bash
PRESET ?= release
BUILD := build/$(PRESET)
RESULTS ?= mbsbench-results
JOBS ?= $(shell nproc)

# What engines are measured on.
ENGINE_PROBLEMS ?= $(foreach n,10 100 1000,--problem chainN3d:bodies=$(n))

.PHONY: help packages configure build suite engines test clean

help:
	@echo 'make suite     install packages, build, run the default comparison, write its report to $(RESULTS)/'
	@echo 'make engines   time one evaluation by Simbody, MuJoCo and DART beside ours, report in $(RESULTS)/engines/'
	@echo 'make test      install packages, build, run all tests'
	@echo 'make build     build only (PRESET=release, portable, debug, sanitize or ci)'
	@echo 'make packages  install the Debian packages of packages.txt (root or sudo)'
	@echo 'make clean     remove build/; results stay'
	@echo 'After a build, $(BUILD)/mbsbench --help tells the rest.'

packages:
	@./scripts/install_packages.sh

configure: packages
	@log=$$(mktemp); cmake --preset $(PRESET) > $$log 2>&1 || { cat $$log; rm -f $$log; exit 1; }; rm -f $$log

build: configure
	@cmake --build --preset $(PRESET) --parallel $(JOBS)

suite: configure
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target mbsbench
	@$(BUILD)/mbsbench run --resume --store $(RESULTS)/results.sqlite
	@$(BUILD)/mbsbench report --store $(RESULTS)/results.sqlite --output $(RESULTS)/report

# One evaluation by each engine and by ours, ours built for a generic processor, as Debian builds the engines, and
# for this machine: a store and a report of their own.
engines: configure
	@cmake --preset portable > /dev/null
	@for preset in portable release; do cmake --build --preset $$preset --parallel $(JOBS) --target mbsbench || exit 1; done
	@for preset in portable release; do \
	  build/$$preset/mbsbench run --resume --evaluations-only $(ENGINE_PROBLEMS) --store $(RESULTS)/engines.sqlite || exit 1; \
	done
	@build/release/mbsbench report --store $(RESULTS)/engines.sqlite --output $(RESULTS)/engines

test: build
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

clean:
	rm -rf build
