package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// Answers of a broker that is tried.
var (
	errCredentials = errors.New("it refuses the user or the password")
	errNoBroker    = errors.New("something answers there, but no MQTT broker")
	errTrust       = errors.New("its certificate is not trusted")
)

// brokerLimit bounds the whole attempt.
const brokerLimit = 5 * time.Second

// tryBroker says hello to a broker and goodbye. It subscribes and publishes
// nothing, under a name of its own: a running table notices nothing.
func tryBroker(ctx context.Context, c mqttConfig) error {
	ctx, cancel := context.WithTimeout(ctx, brokerLimit)
	defer cancel()
	conn, err := dialBroker(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return err
	}
	hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	hello.ProtocolName, hello.ProtocolVersion = "MQTT", 4 // 3.1.1
	hello.ClientIdentifier = fmt.Sprintf("tableside-doctor-%d", os.Getpid())
	hello.CleanSession, hello.Keepalive = true, uint16(brokerLimit.Seconds())
	hello.UsernameFlag, hello.Username = c.User != "", c.User
	hello.PasswordFlag, hello.Password = c.Password != "", []byte(c.Password)
	if err := hello.Write(conn); err != nil {
		return errNoBroker
	}
	answer, err := packets.ReadPacket(conn)
	if err != nil {
		return errNoBroker
	}
	welcome, ok := answer.(*packets.ConnackPacket)
	switch {
	case !ok:
		return errNoBroker
	case welcome.ReturnCode == packets.ErrRefusedBadUsernameOrPassword, welcome.ReturnCode == packets.ErrRefusedNotAuthorised:
		return errCredentials
	case welcome.ReturnCode != packets.Accepted:
		return fmt.Errorf("it refuses the connection with code %d", welcome.ReturnCode)
	}
	_ = packets.NewControlPacket(packets.Disconnect).Write(conn)
	return nil
}

// dialBroker reads the address as the mqtt package does.
func dialBroker(ctx context.Context, c mqttConfig) (net.Conn, error) {
	address := c.Broker
	if !strings.Contains(address, "://") {
		address = "tcp://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("it is not an address")
	}
	secure := u.Scheme != "tcp" && u.Scheme != "mqtt"
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), map[bool]string{false: "1883", true: "8883"}[secure])
	}
	if !secure {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
		return conn, unreachable(err)
	}
	trust := &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	if c.CA != "" {
		pem, err := os.ReadFile(c.CA)
		if err != nil {
			return nil, err
		}
		trust.RootCAs = x509.NewCertPool()
		trust.RootCAs.AppendCertsFromPEM(pem)
	}
	conn, err := (&tls.Dialer{Config: trust}).DialContext(ctx, "tcp", host)
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) {
		return nil, fmt.Errorf("%w: %v", errTrust, untrusted.Err)
	}
	return conn, unreachable(err)
}

func unreachable(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return fmt.Errorf("it cannot be reached: %w", op.Err)
	}
	return err
}

func brokerFix(err error) string {
	switch {
	case errors.Is(err, errCredentials):
		return "check mqtt.user and mqtt.password or mqtt.password_file"
	case errors.Is(err, errNoBroker):
		return "check the port, and whether it wants TLS (ssl://)"
	case errors.Is(err, errTrust):
		return "name its authority as mqtt.ca"
	}
	return "check mqtt.broker, and whether the broker runs"
}
