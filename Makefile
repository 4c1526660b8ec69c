# Thin names over swift and scripts/. The release binary is .build/lantool.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_TIME ?= 30
SOAK_MINUTES ?= 30
# Where the release is compiled; a folder of its own can be used beside another build.
SCRATCH ?= .build
ARGS ?= browse

BINDIR = $(DESTDIR)$(PREFIX)/bin
MANDIR = $(DESTDIR)$(PREFIX)/share/man
BASHDIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSHDIR = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISHDIR = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
SCHEMADIR = $(DESTDIR)$(PREFIX)/share/lantool/schema
LOCALEDIR = $(DESTDIR)$(PREFIX)/share/locale
LANGUAGES = $(notdir $(basename $(wildcard po/*.po)))

PROGRAM = .build/lantool
SOURCES := Package.swift $(shell find Sources -type f 2>/dev/null)
FORMATTED = Package.swift Sources Tests Fuzz Examples

# What building and running needs beside the toolchain, and what tests and measurements need.
PACKAGES = gettext libpcap-dev
TEST_PACKAGES = avahi-daemon avahi-utils bsdutils dbus fish gzip iproute2 jq knot libcap2-bin man-db mandoc nftables procps \
  python3 python3-zeroconf strace systemd tcpdump tmux tshark util-linux zsh
BENCH_PACKAGES = avahi-daemon avahi-utils dbus gcc iproute2 libc6-dev libpcap-dev python3 python3-venv tcpdump tshark

.PHONY: all run setup setup-test setup-bench test check-lab conformance soak asan tsan bench bench-sniff bench-watch bench-browse \
  bench-resolve bench-peer fuzz fmt lint man completions doc example release install uninstall deb clean

all: release

## setup: install what building and running needs (Debian), and look for the Swift toolchain
setup:
	@scripts/apt-install $(PACKAGES)
	@scripts/check-swift "$(SWIFT)"

## run: build the program and run it: 'lantool browse', or make run ARGS='sniff -r lan.pcap'
run: $(PROGRAM)
	@$(PROGRAM) $(ARGS)

## release: one stripped file that needs libc and libm alone (and libstdc++ and libgcc_s where the
## compiler has no archive of the former)
release: $(PROGRAM)

# libstdc++ inside the program takes a third off the time of each start.
$(PROGRAM): $(SOURCES) Makefile
	@mkdir -p .build/static; rm -f .build/static/*; \
	archive=$$(cc -print-file-name=libstdc++.a 2>/dev/null || true); flags=; \
	if [ -f "$$archive" ]; then \
	  ln -s "$$archive" .build/static/libstdc++.a; \
	  flags="-Xlinker -L$(CURDIR)/.build/static -Xswiftc -Xclang-linker -Xswiftc -static-libgcc"; \
	fi; \
	$(SWIFT) build -c release --scratch-path $(SCRATCH) --static-swift-stdlib --disable-local-rpath --product lantool $$flags
	@strip -o $@ $(SCRATCH)/release/lantool

## setup-test: install what the tests need (Debian)
setup-test: setup
	@scripts/apt-install $(TEST_PACKAGES)
	@python3 -c 'import jsonschema' 2>/dev/null || scripts/apt-install python3-jsonschema

## test: build and run all tests; as root also those that need network namespaces
test:
	@scripts/test

## conformance: every RFC 6762 and 6763 test of Tests/Lab/conformance.py against `serve`, as root
conformance: $(PROGRAM)
	@LANTOOL=$(CURDIR)/$(PROGRAM) python3 Tests/Lab/conformance.py --jobs 8

## check-lab: every test that needs root, network namespaces and real peers, and nothing else
check-lab:
	@scripts/test lab

## soak: serve, browse and watch for SOAK_MINUTES in a lab that breaks all it can, as root
soak: $(PROGRAM)
	@python3 Tests/Lab/soak.py --minutes $(SOAK_MINUTES) --lantool $(CURDIR)/$(PROGRAM)

## asan, tsan: all tests under the address and the thread sanitizer, each in a build of its own
asan tsan:
	@scripts/test $@

setup-bench: setup
	@scripts/apt-install $(BENCH_PACKAGES)
	@[ -x .build/zeroconf/bin/python3 ] || { python3 -m venv .build/zeroconf && .build/zeroconf/bin/pip install -q zeroconf; } || true

## bench: measure every subcommand beside its peers, as root and on a quiet machine; writes
## Benchmarks/results.md, and its short tables into the README
bench: bench-sniff bench-watch bench-browse bench-resolve bench-peer
	@Benchmarks/results

## bench-sniff, bench-watch, bench-browse, bench-resolve, bench-peer: one of them; writes Benchmarks/out
bench-sniff bench-watch bench-browse bench-resolve bench-peer: setup-bench $(PROGRAM)
	@Benchmarks/$(@:bench-%=%) $(PROGRAM)

## fuzz: run both fuzz targets for FUZZ_TIME seconds
fuzz:
	@Fuzz/run all $(FUZZ_TIME)

fmt:
	@$(SWIFT) format -i -r $(FORMATTED)

## lint: formatting, the formatter's rules, and the arrows between the rooms
lint:
	@$(SWIFT) format lint --strict -r $(FORMATTED)
	@scripts/lint-arrows

## man, completions: write them anew from the declarations of the options
man: $(PROGRAM)
	@for page in lantool lantool-watch lantool-browse lantool-resolve lantool-sniff lantool-ping-peer lantool-serve; do $(PROGRAM) --generate man $$page > man/$$page.1 || exit 1; done

completions: $(PROGRAM)
	@$(PROGRAM) --generate bash > completions/lantool.bash
	@$(PROGRAM) --generate zsh > completions/_lantool
	@$(PROGRAM) --generate fish > completions/lantool.fish

install: $(PROGRAM)
	install -d $(BINDIR) $(MANDIR)/man1 $(MANDIR)/man5 $(BASHDIR) $(ZSHDIR) $(FISHDIR) $(SCHEMADIR)
	install -m 755 $(PROGRAM) $(BINDIR)/lantool
	install -m 644 man/*.1 $(MANDIR)/man1/
	install -m 644 man/*.5 $(MANDIR)/man5/
	install -m 644 completions/lantool.bash $(BASHDIR)/lantool
	install -m 644 completions/_lantool $(ZSHDIR)/_lantool
	install -m 644 completions/lantool.fish $(FISHDIR)/lantool.fish
	install -m 644 schema/*.schema.json $(SCHEMADIR)/
	@for language in $(LANGUAGES); do \
	  install -d $(LOCALEDIR)/$$language/LC_MESSAGES || exit 1; \
	  msgfmt -c -o $(LOCALEDIR)/$$language/LC_MESSAGES/lantool.mo po/$$language.po || exit 1; \
	done

uninstall:
	rm -f $(BINDIR)/lantool $(BASHDIR)/lantool $(ZSHDIR)/_lantool $(FISHDIR)/lantool.fish
	rm -f $(addprefix $(MANDIR)/man1/,$(notdir $(wildcard man/*.1)))
	rm -f $(addprefix $(MANDIR)/man5/,$(notdir $(wildcard man/*.5)))
	rm -rf $(DESTDIR)$(PREFIX)/share/lantool
	rm -f $(foreach language,$(LANGUAGES),$(LOCALEDIR)/$(language)/LC_MESSAGES/lantool.mo)

## doc: the library's documentation by DocC, without a warning, in .build/doc; no public symbol may be bare
doc:
	@mkdir -p .build/symbols
	@$(SWIFT) build --target LanSystem --scratch-path .build/for-doc -Xswiftc -emit-symbol-graph \
	  -Xswiftc -emit-symbol-graph-dir -Xswiftc $(CURDIR)/.build/symbols
	@scripts/build-doc .build/symbols .build/doc

## example: build the package in Examples that uses the library from outside
example:
	@$(SWIFT) build --package-path Examples/printers --scratch-path .build/example

## deb: a Debian package in .build/deb
deb: $(PROGRAM)
	@scripts/apt-install dpkg-dev
	@scripts/build-deb $(PROGRAM) .build/deb

clean:
	rm -rf .build Benchmarks/out Fuzz/out
