# Two commands: 'make suite' runs the default comparison for MINUTES minutes and writes its report; each further call continues it. 'make test' runs
# all tests. Both first install the packages that they need (packages.txt; root or sudo).
SHELL := /bin/bash
PRESET ?= release
BUILD := build/$(PRESET)
RESULTS ?= mbsbench-results
JOBS ?= $(shell nproc)
# Time limit of 'make suite' for the trials; 0: no limit, runs the whole default comparison.
MINUTES ?= 8

# Problems on which engines are measured.
ENGINE_PROBLEMS ?= $(foreach p,chainN3d:bodies=10 chainN3d:bodies=100 chainN3d:bodies=1000 \
  revoluteN:bodies=10 revoluteN:bodies=1000 treeN:bodies=15 treeN:bodies=1023,--problem $(p))

# A complete run in which methods disagree (exit code 3) is reported like any other: the report names the methods.
DISAGREEMENT_IS_A_RESULT = || { code=$$?; [ $$code -eq 3 ] || exit $$code; }

.PHONY: help packages packages-all packages-npm configure build suite figures engines test recertify gate baselines false-alarms gate-build sanitize sanitize-threads browser-test clean

help:
	@echo 'make suite     install packages, build, run the default comparison for $(MINUTES) minutes (MINUTES=0: all of it), write'
	@echo '               its report to $(RESULTS)/; a further call continues'
	@echo 'make figures   draw at most eight figures of that comparison for a paper, with tables: SVG, PDF, LaTeX, in $(RESULTS)/figures/'
	@echo 'make engines   time one evaluation by every engine and by our methods; report in $(RESULTS)/engines/'
	@echo 'make test      install packages, build, run all tests'
	@echo 'make recertify solve all certificates of the references anew and compare (hours); a further call continues'
	@echo 'make build     build only (PRESET=release, portable, debian, debug, sanitize or ci)'
	@echo 'make packages  install the Debian packages of packages.txt (root or sudo)'
	@echo 'make packages-all  also those that single features need (packages_optional.txt): SDF files; and, if npm is there,'
	@echo '               MuJoCo in WebAssembly (make packages-npm does only that)'
	@echo 'make gate      compare the build of preset ci with the baselines (instructions, outcomes, errors, counters)'
	@echo 'make baselines REASON=TEXT  replace the baselines in tests/baselines/ by the current results of that build'
	@echo 'make false-alarms  compare that build with itself ten times (some 20 minutes): no case may be flagged'
	@echo 'make sanitize  run the tests under the address and undefined behaviour sanitizers, those with threads under the thread'
	@echo '               sanitizer (half an hour)'
	@echo 'make browser-test  test the report of a quick run in chromium'
	@echo 'make clean     remove build/; results are kept'
	@echo 'After a build, $(BUILD)/mbsbench --help lists the other commands.'

packages:
	@./scripts/install_packages.sh

packages-all:
	@./scripts/install_packages.sh packages.txt packages_optional.txt
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory packages-npm; \
	else echo 'The engine mujoco-node is left out: install nodejs and npm, and call this again.'; fi

# The package that the engine mujoco-node runs, in the version of its lock file.
packages-npm:
	@cd methods/engines/mujoco_node && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

configure: packages
	@log=$$(mktemp); cmake --preset $(PRESET) > $$log 2>&1 || { cat $$log; rm -f $$log; exit 1; }; rm -f $$log

build: configure
	@cmake --build --preset $(PRESET) --parallel $(JOBS)

# The command says how to go on.
suite: export MBSBENCH_STARTED_BY = $(strip make suite $(MAKEOVERRIDES))
suite: configure
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target mbsbench
	@$(BUILD)/mbsbench run --resume $(if $(filter-out 0,$(MINUTES)),--minutes $(MINUTES)) --store $(RESULTS)/results.sqlite $(DISAGREEMENT_IS_A_RESULT)
	@$(BUILD)/mbsbench report --store $(RESULTS)/results.sqlite --output $(RESULTS)/report

# Needs nodejs and librsvg2-bin, which are not in packages.txt; if they are missing, the command says so.
figures: configure
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target mbsbench
	@$(BUILD)/mbsbench figures --store $(RESULTS)/results.sqlite --output $(RESULTS)/figures

# One evaluation by each engine and by our methods, built once with the flags that Debian uses for the engines and once for this machine, in a
# separate store and report.
engines: configure
	@cmake --preset debian > /dev/null
	@for preset in debian release; do cmake --build --preset $$preset --parallel $(JOBS) --target mbsbench || exit 1; done
	@for preset in debian release; do \
	  build/$$preset/mbsbench run --resume --evaluations-only $(ENGINE_PROBLEMS) --store $(RESULTS)/engines.sqlite $(DISAGREEMENT_IS_A_RESULT); \
	done
	@build/release/mbsbench report --store $(RESULTS)/engines.sqlite --output $(RESULTS)/engines

# One more than there are cores: some tests wait for time limits.
test: build
	@ctest --test-dir $(BUILD) --output-on-failure --parallel $$(($(JOBS) + 1))

# What is done is kept in build/recertify; 'make clean' begins anew.
recertify: configure
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target mbsbench
	@scripts/recertify.sh $(BUILD)/mbsbench build/recertify

# All tests that run under the sanitizers, including the methods' own tests.
sanitize: sanitize-threads
	@$(MAKE) --no-print-directory configure PRESET=sanitize
	@cmake --build --preset sanitize --parallel $(JOBS) --target sanitized_tests nightly_tests
	@ctest --test-dir build/sanitize --output-on-failure --parallel $(JOBS) --label-regex 'sanitized|nightly'

sanitize-threads:
	@$(MAKE) --no-print-directory configure PRESET=threads
	@cmake --build --preset threads --parallel $(JOBS)
	@ctest --test-dir build/threads --output-on-failure --no-tests=error --label-regex threaded --tests-regex '^Threads\.'

# A quick run's report in chromium; needs nodejs, npm, sqlite3 and chromium.
browser-test: gate-build
	@build/ci/mbsbench run --quick --resume --store build/quick/results.sqlite
	@tests/browser/run.sh build/ci/mbsbench build/quick/results.sqlite build/quick/screenshots

gate-build:
	@$(MAKE) --no-print-directory configure PRESET=ci
	@cmake --build --preset ci --parallel $(JOBS) --target mbsbench

gate: gate-build
	@build/ci/mbsbench bench --gate

baselines: gate-build
	@build/ci/mbsbench bench --move-baselines --reason '$(REASON)'

false-alarms: gate-build
	@for seed in 1 2 3 4 5 6 7 8 9 10; do \
	  build/ci/mbsbench bench --against build/ci/mbsbench --seed $$seed --store $(RESULTS)/results.sqlite || exit $$?; \
	done

clean:
	rm -rf build
