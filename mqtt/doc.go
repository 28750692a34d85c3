// Package mqtt brings the table to an MQTT broker and to Home Assistant.
//
// [Messages] and [Discovery] say, without any network, what stands on which
// topic for a frame. A [Client] keeps a broker in step with the newest frame
// and takes inputs from it. A [Broker] is a small broker inside the program,
// for those who have none. docs/mqtt.md lists the topics.
package mqtt
