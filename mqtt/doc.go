// Package mqtt connects the table to an MQTT broker and to Home Assistant.
//
// [Messages] and [Discovery] return the messages for a frame with their topics. They need no
// network. A [Client] keeps a broker in step with the newest frame, and takes inputs from the
// broker. A [Watcher] follows all tables of a broker. A [Broker] is a small broker inside the
// program, for households without a broker. The topics are listed in docs/mqtt.md.
package mqtt
