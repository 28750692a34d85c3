module tableside/drivers/pn532/strangertest

go 1.26.8

require (
	github.com/ZaparooProject/go-pn532 v0.26.1
	go.bug.st/serial v1.8.0
	go.uber.org/goleak v1.3.0
	periph.io/x/conn/v3 v3.7.3
	periph.io/x/host/v3 v3.8.5
	tableside v0.0.0
)

require (
	github.com/petermattis/goid v0.0.0-20250813065127-a731cc31b4fe // indirect
	github.com/sasha-s/go-deadlock v0.3.9 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace tableside => ../../..
