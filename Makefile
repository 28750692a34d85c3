# make check   what answers in a minute: vet, staticcheck, shellcheck and the short tests
# make test    everything a change must pass: also with the race detector and a browser; installs
#              what is missing (Debian). CI also runs cross and test-deb
# make nightly what takes an hour: all of it for longer; raise KILLS, STEPS, MATCHES…
# make test-kernel  pins, keys, buzzer, a panel and keyboards on a real kernel, in QEMU
# make test-hall  tables and a hall on a cluster of three NATS nodes, some of which are killed
# make test-boot  Debian on a whole emulated machine, with our package, kills and CUTS power cuts
# make test-arm  the drivers' tests for arm64 and ARMv6, in QEMU
# make cross   programs for the Raspberry Pi, with their sizes
# make deb     Debian packages for the Raspberry Pi in bin
# make test-deb  installs, upgrades and removes one, in a copy of this machine
# make release  packages, checksums, bills of materials and the text, in bin/release
# make build   bin/tableside for this machine
# make bench   the measurements that claims about speed rest on
# make pictures  pages, panels and lights in many states, in bin/pictures: open its index.html

GO       ?= go
KILLS    ?= 200
STEPS    ?= 2000
# Inputs for each target, most of which take some seconds; none takes over a minute.
FUZZTIME ?= 20000x
# Of each game, an edition being one, over all its setups; with other seeds each night.
MATCHES  ?= 2000
# Histories of each e-paper panel: pictures, faults, sleeps, brown-outs; four of them raced, too.
STORIES  ?= 20
# How often cards come and go on two readers of a real pcscd, two seconds each.
CARDS    ?= 500
# Keys that are pressed on QEMU's USB keyboard.
PRESSES  ?= 1000
# Power cuts of a whole machine in the middle of a match; several runs add up.
CUTS     ?= 5
# Megabytes of a message to MQTT that no table should read, and restarts of the
# broker while commands come.
GIANT    ?= 200
# How long four people play, resume, delete and remove names at once, in seconds.
STRESS   ?= 120
RESTARTS ?= 10
# Malformed packets to the embedded broker; SEED repeats these and the matches of a run that failed.
PACKETS  ?= 20000
SEED     ?= $(shell date +%s)
# Which of the long runs that take turns it is: by the number of the day on which it begins, unless set.
ifndef TURN
TURN     := $(shell echo $$(($$(date +%s) / 86400 % 7)))
endif
# No program is larger than this, in bytes: an update over a phone's hotspot. It is there to
# notice accidents, such as a dependency that brings a megabyte of tables.
MOST     ?= 24000000
# Pure Go, in tests as in the program, so that a package is compiled once. Only the race detector
# needs C.
export CGO_ENABLED = 0
# The same bytes from the same commit, the commit inside, whatever GOFLAGS says.
BUILD     = $(GO) build -trimpath -buildvcs=auto -ldflags "$(LDFLAGS)"
LDFLAGS   = -s -w

# One processor for each test program: the timers of a testing/synctest bubble
# share a context of the race detector, which crashes when two threads use it
# among more than 256 goroutines (golang.org/issue/78156). go test still runs
# as many programs beside each other as there are processors. A raced program would
# sleep for a second before it ends, so that other threads can report races.
# Four tests of a package run at a time: those of the page often wait for a frame or the table.
RACE      = CGO_ENABLED=1 GORACE=atexit_sleep_ms=10 $(GO) test -race -cpu 1 -parallel 4 -vet=off

.PHONY: force check test nightly turn-0 turn-1 turn-2 turn-3 turn-4 turn-5 turn-6 test-kernel test-hall test-boot test-arm test-usb tools vet fuzz cross deb test-deb build release bench pictures clean

# go test starts the packages in this order. Of the longest ones, none begins last and
# leaves a processor idle.
LONGEST   = ./cmd/tableside ./display/web

# plain are packages without goroutines: rules, drivers of chips that only answer, pictures.
PLAIN     = /(engine|epaper|mfrc522|ssd1306|labels|seat|qr|deb)\b
# unwatched are tests of pictures and of programs that wait for each other, are timed or compute for
# long: the race detector sees them only at night.
UNWATCHED = ^Test(Golden|NothingOverlaps|Measure.*|StalledConnections|OlderRulesHideNoMatch|ResultsOfAnotherHall|StrangeResults|PrintedCardsPlay|Stats|IndexOfMany|SameName|Swiss.*|StandingsOfMany|Matching|ArchiveRefuses|Scripts|WLED.*|Tape.*|ChipsPlayWholeGames|MillionPolls|RecordingStops|Rehearsals|OverlayTakesAThird|CameraOfABrowser|WebNFC|AssetsAreServed|ScriptsImport.*|ImportsExist)$$
# halved are those of which it sees a part; these packages have them all, but for display/web.
HALVED    = ^Test(ScriptAgreesWithReplay|KeptJournals|EveryLinkAndButton)$$
HAVE      = ./cmd/tableside ./cmd/tableside/bench ./device/evening ./device/hall ./device/history ./device/reader \
            ./display/lights ./display/panel ./display/terminal

# strangers are the modules of tests with other people's drivers, which the
# program does not depend on.
STRANGERS = drivers/pn532/strangertest

# Tests that wait for something leave a processor to others: one package more runs at a time, and
# four tests of one.
check: tools vet
	$(GO) test -short -p $$(($$(nproc) + 1)) -parallel 4 -vet=off -timeout 10m $(LONGEST) ./...

# Everything that check tests, once: most of it with the race detector, which sees the server of the
# page here, and what a browser does to it at night. The rules play a sixteenth of their random matches.
test: tools vet
	$(RACE) -p $$(($$(nproc) + 1)) -timeout 20m -skip '$(UNWATCHED)' $(LONGEST) $$($(GO) list ./... | grep -vE '$(PLAIN)')
	$(GO) test -p $$(($$(nproc) + 1)) -parallel 4 -vet=off -timeout 20m -run '$(UNWATCHED)|$(HALVED)' $(HAVE)
	$(GO) test -vet=off -parallel 6 -timeout 20m ./display/web $$($(GO) list ./... | grep -E '$(PLAIN)')
	@set -e; for m in $(STRANGERS); do echo "$(RACE) ./$$m/..."; (cd $$m && $(RACE) ./...); done

# test-kernel builds a small kernel the first time, which takes some minutes.
test-kernel:
	.ci/kernel

# A module of its own: the program does not need the broker that it starts. Its tests mostly
# wait for elections; two of them side by side do not slow each other down.
HALL      ?= Strangers|NodeDies|LeaderDies

test-hall: tools
	cd mqtt/halltest && $(GO) vet ./...
	cd mqtt/halltest && $(GO) test -count=1 -timeout 10m -parallel 2 -v -run '$(HALL)' ./...

# test-boot builds a Debian the first time; CONTRIBUTING.md has the times.
test-boot:
	CUTS=$(CUTS) .ci/boot

test-arm:
	.ci/arm

# tools installs what the tests run against: a real broker, a real browser, a C
# compiler for the race detector and shellcheck.
tools:
	@.ci/tools

# A larger heap spares vet and staticcheck a quarter of their work, for 800 MB.
vet: export GOGC = 400
vet:
	.ci/shells
	$(GO) vet -tags gpiosim,boot,pictures ./...
	@set -e; for m in $(STRANGERS); do (cd $$m && $(GO) vet ./...); done
	$(GO) tool staticcheck ./...
	@unformatted="$$(gofmt -l .)"; if [ -n "$$unformatted" ]; then echo "not gofmt'ed: $$unformatted" >&2; exit 1; fi

# Every test in full; with the race detector what it does not see in make test; then
# longer runs and whole machines. TABLESIDE_NIGHTLY holds counts, if any.
NIGHTLY   = -count=1 -timeout 60m
COUNTS    = kills=$(KILLS) steps=$(STEPS) stress=$(STRESS) giant=$(GIANT) restarts=$(RESTARTS) packets=$(PACKETS) seed=$(SEED)

nightly: tools vet fuzz
	@echo "nightly: turn-$(TURN), the turn of this day"
	TABLESIDE_NIGHTLY=1 $(GO) test -vet=off $(NIGHTLY) ./cmd/tableside $$($(GO) list ./... | grep -v display/web$$)
	TABLESIDE_NIGHTLY=1 $(RACE) $(NIGHTLY) -skip Clicker ./display/web
	$(RACE) $(NIGHTLY) ./cmd/tableside ./display/panel ./display/lights
	$(RACE) $(NIGHTLY) -run '$(UNWATCHED)' ./device/... ./cmd/tableside/bench
	TABLESIDE_NIGHTLY="$(COUNTS)" $(RACE) $(NIGHTLY) -v -run 'Kill|Play|FourAtOnce|StrangePackets|Giant|Junk|Restarts|Flood|ReceiveMaximum' ./cmd/tableside ./device ./mqtt/...
	$(GO) test $(NIGHTLY) -run '^$$' -bench AbsentSessions -benchtime 1x ./cmd/tableside
	$(RACE) $(NIGHTLY) -run Stories ./drivers/epaper -stories 4
	$(GO) test $(NIGHTLY) -run Stories ./drivers/epaper -stories $(STORIES)
	$(MAKE) HALL=. test-hall test-deb pictures turn-$(TURN)
	@echo "nightly: passed with turn-$(TURN)"

# What is longer takes turns: whole matches on the page at three sizes by mouse, touch and
# keyboard, random matches of each game, readers of a real pcscd, and emulated machines.
MATCHED   = TABLESIDE_NIGHTLY="matches=$(MATCHES) seed=$(SEED)" $(GO) test -count=1 -timeout 4h

turn-0: test-arm
	$(MATCHED) -v -run 'Clicker/all/mutants' ./display/web

turn-1: test-boot
	$(MATCHED) -v -run 'Clicker/all/(mindbug|genegrafter|tally)' ./display/web

turn-2: test-usb test-kernel
	$(MATCHED) -run '^TestPromises/mutants/first' ./engine/mutants

turn-3: test-arm
	$(MATCHED) -run '^TestPromises/mutants/second' ./engine/mutants

turn-4: test-boot
	$(MATCHED) -run Promises $$($(GO) list ./engine/... | grep -vE 'mutants|genegrafter')
	$(MATCHED) -run UprisingPromises ./engine/mutants

turn-5: test-usb test-kernel
	$(MATCHED) -run Promises ./engine/genegrafter

turn-6: test-boot
	$(RACE) -count=1 -timeout 60m -run Pcscd ./drivers/pcsc -cards $(CARDS)

# Many keys of a USB keyboard, on the kernel of test-kernel.
test-usb:
	RUN=USB PRESSES=$(PRESSES) PATIENCE=3600 .ci/kernel

# fuzz runs each target for FUZZTIME: go test takes only one at a time.
fuzz:
	.ci/fuzz $(FUZZTIME)

# What is built, for this machine.
PROGRAM   = bin/tableside

build:
	$(BUILD) -o $(PROGRAM) ./cmd/tableside

bin/tableside-linux-armv6: force
	GOOS=linux GOARCH=arm GOARM=6 $(BUILD) -o $@ ./cmd/tableside

bin/tableside-linux-arm64: force
	GOOS=linux GOARCH=arm64 $(BUILD) -o $@ ./cmd/tableside

force:

cross: bin/tableside-linux-armv6 bin/tableside-linux-arm64
	@for f in bin/tableside-linux-armv6 bin/tableside-linux-arm64; do \
	  size=$$(stat -c %s $$f); \
	  awk -v f=$$f -v s=$$size 'BEGIN { printf "%-28s %.1f MB\n", f, s / 1e6 }'; \
	  if [ $$size -gt $(MOST) ]; then echo "$$f is larger than $(MOST) bytes" >&2; exit 1; fi; \
	done

# deb wraps what cross built. Debian's armhf is the ARMv6 program here: it runs
# on every Raspberry Pi.
deb: cross
	@rm -f bin/tableside_*.deb
	systemd/deb/build arm64 bin/tableside-linux-arm64 bin
	systemd/deb/build armhf bin/tableside-linux-armv6 bin

test-deb:
	.ci/deb

release:
	.ci/release

bench: build
	$(GO) test -run '^$$' -bench . -benchmem ./...
	TABLESIDE_BIN=$(CURDIR)/bin/tableside $(GO) test -count=1 -run 'Measure' -v ./cmd/tableside | grep -v '^=== '

# pictures draws what people look at, for somebody to judge; it asserts little.
pictures: tools
	$(GO) test -count=1 -tags pictures -run Pictures ./display/web -pictures $(CURDIR)/bin/pictures

clean:
	rm -rf bin
