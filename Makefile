# make test    everything a change must pass; installs what is missing (Debian)
# make test-kernel  pins, keys, buzzer, a panel and keyboards on a real kernel, in QEMU
# make test-hall  tables and a hall on a cluster of three NATS nodes, some of which are killed
# make test-boot  Debian on a whole emulated machine, with our package, kills and CUTS power cuts; slow
# make test-arm  the drivers' tests for arm64 and ARMv6, in QEMU
# make soak    the same questions asked for longer; raise KILLS, STEPS, FUZZTIME, STORIES, CARDS, MATCHES
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
# Inputs for each target. A time would do too, but go test -fuzz may then fail
# with nothing but "context deadline exceeded" (golang.org/issue/48591).
FUZZTIME ?= 20000x
# Of each game, an edition being one, over all its setups.
MATCHES  ?= 10000
# Histories of each e-paper panel: pictures, faults, sleeps, brown-outs.
STORIES  ?= 20
# How often cards come and go on two readers of a real pcscd, two seconds each.
CARDS    ?= 500
# Keys that are pressed on QEMU's USB keyboard.
PRESSES  ?= 1000
# Whose whole matches are played on the page, at three sizes by mouse, touch and
# keyboard: part of a game's name, such as mindbug, or . for all.
GAMES    ?= .
# Power cuts of a whole machine in the middle of a match; several runs add up.
CUTS     ?= 5
# Megabytes of a message to MQTT that no table should read, and restarts of the
# broker while commands come.
GIANT    ?= 200
RESTARTS ?= 10
# No program is larger than this, in bytes: an update over a phone's hotspot.
MOST     ?= 18000000
# Pure Go, the same bytes from the same commit, the commit inside. Without
# HTTP/2, which the page does not need: half a megabyte of the file and of memory.
BUILD     = CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=auto -tags nethttpomithttp2 $(COLD) -ldflags "$(strip $(LDFLAGS))"
LDFLAGS   = -s -w $(LINK)
LINK      =
# What waits for people or for a network, and emulated chips, is compiled without inlining (-l):
# the file is half a megabyte smaller. Rules, drawing and drivers keep it.
COLD      = $(foreach p,net net/http net/textproto net/url mime/... log/slog flag crypto/tls crypto/x509 \
            encoding/asn1 encoding/json encoding/pem fmt image/gif math/big net/netip os regexp/syntax \
            syscall text/tabwriter crypto/ecdsa crypto/hpke crypto/internal/fips140/ecdsa \
            crypto/internal/fips140/rsa crypto/rsa vendor/golang.org/x/crypto/cryptobyte \
            tableside/drivers/tape tableside/drivers/epaper/epapertest tableside/drivers/pn532/pn532test \
            tableside/drivers/mfrc522/mfrc522test \
            github.com/mochi-mqtt/... github.com/eclipse/... github.com/gorilla/... github.com/BurntSushi/... \
            golang.org/x/crypto/... tableside/cmd/... tableside/device/... tableside/display/web \
            tableside/mqtt,-gcflags=$(p)=-l)

# For the ARMv6 program the linker fills each segment up to 64 KiB: up to 128 KiB of
# zeros. No Raspberry Pi has pages of more than 16 KiB, which those of a Pi 5 have.
bin/tableside-linux-armv6: LINK = -R 0x4000

# One processor for each test program: the timers of a testing/synctest bubble
# share a context of the race detector, which crashes when two threads use it
# among more than 256 goroutines (golang.org/issue/78156). go test still runs
# as many programs beside each other as there are processors. A raced program would
# sleep for a second before it ends, so that other threads can report races.
RACE      = GORACE=atexit_sleep_ms=10 $(GO) test -race -cpu 1
# With the race detector, so that vet and the tests compile every package once; go test
# -vet=off leaves vetting to it. Without the detector go test vets what it runs.
VET       = $(GO) vet -race

.PHONY: force test test-kernel test-hall test-boot test-arm tools vet soak fuzz cross deb test-deb build release bench pictures clean

# go test starts the packages in this order. Of the longest ones, none begins last and
# leaves a processor idle.
LONGEST   = ./cmd/tableside ./display/web

# strangers are the modules of tests with other people's drivers, which the
# program does not depend on.
STRANGERS = drivers/pn532/strangertest

# The second line tests without the race detector what the first one leaves out: most matches
# and scripts of the rules, and the page in a browser. A page waits for a server that takes ten
# times as long, and the detector watches one test of each thing that pages do beside the table
# (watchedTab in display/web), and whole programs in ./cmd/tableside. make soak has it watch all.
# Garbage is collected less often than usual: the rules make much of it. Four tests of a package
# run at a time: those of the page often wait for a frame, a timer or the table.
test: tools vet
	$(RACE) -vet=off -timeout 20m $(LONGEST) ./...
	GOGC=400 $(GO) test -parallel 4 -timeout 20m ./display/web ./engine/... ./cmd/tableside/bench ./drivers/epaper ./drivers/pn532 ./device/history ./display/panel ./display/labels
	$(GO) test -run '^Test(Scripts|ScriptAgreesWithReplay|Kill|OverlayTakesAThird)$$' ./cmd/tableside
	@set -e; for m in $(STRANGERS); do echo "$(RACE) ./$$m/..."; (cd $$m && $(RACE) -vet=off ./...); done

# test-kernel builds a small kernel the first time, which takes some minutes.
test-kernel:
	.ci/kernel

# A module of its own: the program does not need the broker that it starts. Its tests mostly
# wait for elections; two of them side by side do not slow each other down.
HALLTEST  = cd mqtt/halltest && $(GO) test -count=1 -timeout 10m -parallel 2

test-hall: tools
	cd mqtt/halltest && $(GO) vet ./...
	$(HALLTEST) -run 'Strangers|NodeDies|LeaderDies' ./...

# test-boot builds a Debian the first time; docs/soak.md has the times.
test-boot:
	CUTS=$(CUTS) .ci/boot

test-arm:
	.ci/arm

# tools installs what the tests run against: a real broker, a real browser, a C
# compiler for the race detector and shellcheck.
tools:
	@.ci/tools

vet:
	.ci/shells
	$(VET) ./...
	$(VET) -tags gpiosim ./drivers/gpiochip/... ./drivers/keys ./drivers/buzzer ./drivers/epaper ./drivers/evdev
	@set -e; for m in $(STRANGERS); do (cd $$m && $(VET) ./...); done
	$(VET) -tags boot ./systemd/boot
	$(VET) -tags pictures ./display/web
	@unformatted="$$(gofmt -l .)"; if [ -n "$$unformatted" ]; then echo "not gofmt'ed: $$unformatted" >&2; exit 1; fi

soak: tools fuzz
	TABLESIDE_KILLS=$(KILLS) TABLESIDE_STEPS=$(STEPS) $(RACE) -count=1 -timeout 60m -run 'Kill|Play' -v ./cmd/tableside
	TABLESIDE_GIANT=$(GIANT) TABLESIDE_RESTARTS=$(RESTARTS) $(GO) test -race -count=1 -timeout 60m -run 'Giant|Junk|Restarts|Flood' -v ./mqtt ./cmd/tableside
	TABLESIDE_AUDIT=all $(GO) test -count=1 -timeout 60m -run 'Axe|BannerKeeps|PagesFit|Television' ./display/web
	TABLESIDE_AUDIT=raced $(RACE) -count=1 -timeout 60m ./display/web
	TABLESIDE_AUDIT=matches $(GO) test -count=1 -timeout 4h -run 'MatchesArePlayed/$(GAMES)' -v ./display/web
	TABLESIDE_AUDIT=all $(GO) test -count=1 -timeout 60m -run MeasureMatchByCamera -v ./cmd/tableside
	$(RACE) -count=1 -timeout 60m -run Stories ./drivers/epaper -stories $(STORIES)
	$(GO) test -count=1 -timeout 60m -run Stories ./drivers/epaper -stories $(STORIES)
	$(RACE) -count=1 -timeout 60m -run Pcscd ./drivers/pcsc -cards $(CARDS)
	$(HALLTEST) -v ./...
	RUN=USB PRESSES=$(PRESSES) PATIENCE=3600 .ci/kernel
	$(GO) test -count=1 -timeout 6h -run Promises $$(grep -rlE 'enginetest\.Promises' --include='*_test.go' ./engine | xargs -n1 dirname | sort -u) -matches $(MATCHES)

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
