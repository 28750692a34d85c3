package core

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"tableside/engine"
)

// Rights holds what a browser may do besides reading. The right Keep includes the right Play.
type Rights struct {
	Play bool        `json:"play"`           // inputs, taps and teaching
	Keep bool        `json:"keep"`           // which match is played, with what, and when it ends
	Seat engine.Seat `json:"seat,omitempty"` // plays for this seat and the table only; "" for all
}

// A need is the right that a route demands.
type need int

const (
	ToRead need = iota // nothing: everybody who reaches the address may read
	ToPlay
	ToKeep
)

func (has Rights) Grants(n need) bool {
	return n == ToRead || has.Keep || n == ToPlay && has.Play
}

// EverySeat reports whether a browser may play for all seats. Such a browser may see the
// hidden cards of every seat, and the table's token.
func (has Rights) EverySeat() bool { return has.Keep || has.Play && has.Seat == "" }

// SeatCode returns the code with which a browser plays for one seat. The code consists of the
// seat's name and a MAC of this name under the table's token. The table stores no codes.
// Therefore codes survive a restart, and a new token revokes all of them.
func SeatCode(token string, seat engine.Seat) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("tableside seat " + seat))
	code := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:16])
	return string(seat) + "." + code
}

// RightsFor returns the rights that a token gives. The token may be the owner's token, the
// table's token or the code of a seat. Any other token gives no rights. Each comparison takes
// the same time for all tokens of the same length.
func (s *Site) RightsFor(token string) Rights {
	seat, _, _ := strings.Cut(token, ".")
	switch {
	case isSecret(token, s.config.OwnerToken):
		return Rights{Play: true, Keep: true}
	case isSecret(token, s.config.Token):
		return Rights{Play: true}
	case s.config.Token != "" && engine.IsWord(seat) && isSecret(token, SeatCode(s.config.Token, engine.Seat(seat))):
		return Rights{Play: true, Seat: engine.Seat(seat)}
	}
	return Rights{}
}

func isSecret(token, secret string) bool {
	return secret != "" && subtle.ConstantTimeCompare([]byte(token), []byte(secret)) == 1
}

// RightsOf returns the rights of the browser that sent a request. A loopback peer (a browser
// on this machine) normally has all rights. If AskHere is set, or if a proxy may have
// forwarded the request from another machine, the browser has only the rights of its token.
//
// A proxy need not reveal itself in a header. Therefore a request for a configured host name
// counts as forwarded.
func (s *Site) RightsOf(r *http.Request) Rights {
	if !s.config.AskHere && isDirectLoopback(r) && !s.throughProxy(r) {
		return Rights{Play: true, Keep: true}
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		if has := s.RightsFor(token); has.Play {
			return has
		}
	}
	if c, err := r.Cookie(cookie); err == nil {
		return s.RightsFor(c.Value)
	}
	return Rights{}
}

// Require returns a handler that calls next if the browser has the right, and otherwise
// answers with an error.
func (s *Site) Require(n need, next http.HandlerFunc) http.HandlerFunc {
	if n == ToRead {
		return next
	}
	return func(w http.ResponseWriter, r *http.Request) {
		// CrossOriginProtection passes every GET, but only this site's own
		// pages may read hidden cards and the token.
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			s.Fail(w, r, errOtherSite)
			return
		}
		switch has := s.RightsOf(r); {
		case has.Grants(n):
			next(w, r)
		case has.Play:
			s.Fail(w, r, errMustKeep)
		case s.config.Token == "" && s.config.OwnerToken != "": // a hall has no players
			w.Header().Set("WWW-Authenticate", `Bearer realm="tableside"`)
			s.Fail(w, r, Failf(http.StatusUnauthorized, "this needs the owner's token: open the address with ?token= and what the "+
				"file owner-token in the hall's data folder holds"))
		case s.config.Token == "":
			s.Fail(w, r, Failf(http.StatusForbidden, "only this machine may write: no token is set"))
		default:
			w.Header().Set("WWW-Authenticate", `Bearer realm="tableside"`)
			s.Fail(w, r, Failf(http.StatusUnauthorized, "writing needs the token: scan the code on the "+
				"table's panel, or send Authorization: Bearer with what the file token in the table's data folder holds"))
		}
	}
}

var (
	errOtherSite = Failf(http.StatusForbidden, "another site sent this request")
	errMustKeep  = FailWith(http.StatusForbidden, engine.T("rights.keep"))
)

// ErrOnlyFor returns the error of a request that is refused because the browser's code is for
// this seat only.
func ErrOnlyFor(seat engine.Seat) error {
	return FailWith(http.StatusForbidden, engine.T("rights.seat", "seat", SeatWord(seat)))
}

// SeatWord returns the value that stands for a seat in the arguments of a text. For the table
// and the usual seats, this is a word of the catalogue. For any other seat, it is the seat's
// own name.
func SeatWord(seat engine.Seat) any {
	if seat == engine.Table || slices.Contains(engine.UsualSeats, seat) {
		return engine.Word("seat." + string(seat))
	}
	return string(seat)
}

// MayInput returns an error if a browser may not send an input.
func (s *Site) MayInput(r *http.Request, in engine.Input) error {
	has := s.RightsOf(r)
	f, _ := s.CurrentFrame("")
	switch {
	case has.Keep:
	case setsUp(f, in):
		return errMustKeep
	case has.Seat != "" && in.Seat != has.Seat && (in.Seat != engine.Table || AnswersOther(f.View, has.Seat, in)):
		return ErrOnlyFor(has.Seat)
	}
	return nil
}

// setsUp reports whether an input chooses what is played. Such an input needs Rights.Keep.
//
// While no match is on the table, the table asks which match to play next, and almost any
// input can be an answer. Even a tap can be one, because a tag may stand for a key. For two
// answers setsUp returns false: the answer that continues the waiting match, and the answer
// that begins the match proposed by a hall.
func setsUp(f engine.Frame, in engine.Input) bool {
	table := f.View.Match == ""
	switch in.Verb {
	case engine.Lift:
		return false
	case engine.Key:
		return table && !((asksToContinue(f) || asksToBegin(f)) && in.Arg(0) == "yes")
	case engine.Choose:
		if in.Seat == engine.Table && in.Arg(0) == "seated" && f.Status.Seating != nil {
			return false
		}
		return table || len(f.View.Winners) > 0 && in.Seat == engine.Table && in.Arg(0) == "new"
	}
	return table
}

func asksToContinue(f engine.Frame) bool {
	return f.View.Match == "" && len(f.View.Prompts) > 0 && f.View.Prompts[0].Key == "lobby-continue"
}

func asksToBegin(f engine.Frame) bool {
	return f.View.Match == "" && len(f.View.Prompts) > 0 && f.View.Prompts[0].Key == "lobby-seating" &&
		f.View.Prompts[0].Options[0].Key == "seated"
}

// AnswersOther reports whether an input would answer for a seat other than the given one. The
// caller passes only inputs whose seat is the table, as from a shared card reader or key. If
// such an input fits a question to the table itself, it answers that question. Otherwise it
// answers the first question, even if that is a question to a seat.
func AnswersOther(v engine.View, seat engine.Seat, in engine.Input) bool {
	switch in.Verb {
	case engine.Tap, engine.Key, engine.Choose, engine.Roll:
	default:
		return false
	}
	if len(v.Prompts) == 0 || v.Prompts[0].Seat == seat || v.Prompts[0].Seat == engine.Table {
		return false
	}
	return !slices.ContainsFunc(v.Prompts, func(p engine.Prompt) bool {
		return p.Seat == engine.Table &&
			slices.ContainsFunc(p.Options, func(o engine.Answer) bool {
				return o.Input == in.Command() || o.Zone != "" && strings.HasPrefix(in.Command(), o.Input+" ")
			})
	})
}

// MayOrder returns an error if a browser may not give an order. A player may teach a tag, call
// the hall, take back the call, dismiss the hall's message, and pause the seats of the table's. A player may also repeat a
// finished match, and continue the waiting match.
func (s *Site) MayOrder(r *http.Request, o engine.Order) error {
	f, _ := s.CurrentFrame("")
	may := s.RightsOf(r).Keep
	switch o.Do {
	case "learn", "call", "call-off", "dismiss", "pause", "play-now":
		may = true
	case "take-seat", "leave-seat":
		has := s.RightsOf(r)
		may = has.EverySeat() || has.Seat == o.Seat
	case "rematch", "what-if":
		may = may || f.View.Match != "" && len(f.View.Winners) > 0
	case "resume":
		may = may || asksToContinue(f) && (o.Match == "" || o.Match == f.Status.Unfinish)
	}
	if !may {
		return errMustKeep
	}
	return nil
}

// SeesPile reports whether a browser may see the hidden cards of a place. A browser that plays
// for all seats may see every place. A browser that plays for a single seat may see the cards
// of this seat and of the table. It may also see a place from which this seat is asked to
// choose.
func (has Rights) SeesPile(v engine.View, place string) bool {
	owner, _, owned := strings.Cut(place, "/")
	if has.EverySeat() || !owned || engine.Seat(owner) == has.Seat {
		return true
	}
	return slices.ContainsFunc(v.Prompts, func(p engine.Prompt) bool {
		return p.Seat == has.Seat && slices.ContainsFunc(p.Options, func(o engine.Answer) bool { return o.Zone == place })
	})
}

func (s *Site) AddressFor(address string, seat engine.Seat) string {
	to, err := url.Parse(address)
	if seat == "" || address == "" || err != nil {
		return address
	}
	to.RawQuery = url.Values{"token": {SeatCode(s.config.Token, seat)}}.Encode()
	return to.String()
}
