// Package mqtt brings the table to an MQTT broker and to Home Assistant.
//
// [Messages] and [Discovery] return, without any network, the messages for a
// frame with their topics. A [Client] keeps a broker in step with the newest
// frame and takes inputs from it. A [Watcher] follows all tables of a broker. A
// [Broker] is a small broker inside the program, for households without one.
// docs/mqtt.md lists the topics.
package mqtt
