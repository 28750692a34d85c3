package mqtt

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"regexp"

	"golang.org/x/crypto/bcrypt"
)

// Hashes holds one password in the forms that brokers store.
type Hashes struct {
	Mosquitto string `json:"mosquitto"` // PBKDF2 with SHA-512
	NATS      string `json:"nats"`      // bcrypt
}

// These values make the hashes fast. Passwords of 128 random bits cannot be guessed, however
// fast a hash is. Slow hashes would only delay a broker that has just come back, because all
// tables then connect at the same time.
const (
	iterations = 101 // as in mosquitto_passwd
	saltBytes  = 12  // as mosquitto 2.0 requires
	cost       = bcrypt.MinCost
)

// NewPassword returns a random password of capital letters and digits, and its hashes.
func NewPassword() (string, Hashes, error) {
	password := rand.Text()
	hashes, err := HashPassword(password)
	return password, hashes, err
}

// HashPassword returns the hashes of a password. Because these hashes are fast, the password
// must be impossible to guess.
func HashPassword(password string) (Hashes, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	key, err := pbkdf2.Key(sha512.New, password, salt, iterations, sha512.Size)
	if err != nil {
		return Hashes{}, fmt.Errorf("mqtt: password: %w", err)
	}
	nats, err := bcrypt.GenerateFromPassword([]byte(password), cost)
	if err != nil {
		return Hashes{}, fmt.Errorf("mqtt: password: %w", err)
	}
	encode := base64.StdEncoding.EncodeToString
	return Hashes{
		Mosquitto: fmt.Sprintf("$7$%d$%s$%s", iterations, encode(salt), encode(key)),
		NATS:      string(nats),
	}, nil
}

// Valid reports whether both hashes have the right form. A text of any other form could put
// something else into a broker's file.
func (h Hashes) Valid() bool {
	return regexp.MustCompile(`^\$7\$\d+\$[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+$`).MatchString(h.Mosquitto) &&
		regexp.MustCompile(`^\$2a\$\d\d\$[A-Za-z0-9./]{53}$`).MatchString(h.NATS)
}
