package main

import (
	"fmt"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// BenchmarkAbsentSessions compares what an input costs a table alone and one that has long kept
// messages for five clients that are away.
func BenchmarkAbsentSessions(b *testing.B) {
	var costs []time.Duration
	for _, absent := range []int{0, 5} {
		p := startDemo(b, "--game", "tally/score", "--option", "turns=off")
		for i := range absent {
			c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + p.mqtt).SetClientID(fmt.Sprint("absent-", i)).
				SetCleanSession(false))
			if c.Connect().Wait(); !c.IsConnected() || !c.Subscribe("tableside/#", 1, nil).WaitTimeout(time.Minute) {
				b.Fatal("no subscription")
			}
			c.Disconnect(100)
		}
		p.inputCost(1500)
		cost := p.inputCost(500)
		costs = append(costs, cost)
		b.ReportMetric(float64(cost.Microseconds()), fmt.Sprintf("µs/input,%d-absent", absent))
		p.kill()
	}
	if costs[1] > costs[0]*3/2 {
		b.Error("five absent sessions cost too much:", costs)
	}
}
