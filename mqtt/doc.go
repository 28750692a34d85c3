// Package mqtt connects the table to an MQTT broker.
//
// [Messages] returns the messages for a frame with their topics, and needs no network. A [Client]
// keeps a broker in step with the newest frame, and takes inputs from the broker. A [Watcher]
// follows all tables of a broker. The package homeassistant makes what Home Assistant needs, and
// the package broker is a small broker inside the program. The topics are listed in docs/mqtt.md.
package mqtt
