package evdev

import (
	"maps"
	"slices"
)

// names maps the codes of the keys that a table may use to the names of these keys
// (include/uapi/linux/input-event-codes.h). The keys are those of keyboards and number pads,
// the media keys of presenters, and the buttons of gamepads and button boards. Mouse buttons,
// power and sleep are left out.
var names = map[uint16]string{
	1: "KEY_ESC", 2: "KEY_1", 3: "KEY_2", 4: "KEY_3", 5: "KEY_4", 6: "KEY_5", 7: "KEY_6", 8: "KEY_7",
	9: "KEY_8", 10: "KEY_9", 11: "KEY_0", 12: "KEY_MINUS", 13: "KEY_EQUAL", 14: "KEY_BACKSPACE",
	15: "KEY_TAB", 16: "KEY_Q", 17: "KEY_W", 18: "KEY_E", 19: "KEY_R", 20: "KEY_T", 21: "KEY_Y", 22: "KEY_U",
	23: "KEY_I", 24: "KEY_O", 25: "KEY_P", 26: "KEY_LEFTBRACE", 27: "KEY_RIGHTBRACE", 28: "KEY_ENTER",
	29: "KEY_LEFTCTRL", 30: "KEY_A", 31: "KEY_S", 32: "KEY_D", 33: "KEY_F", 34: "KEY_G", 35: "KEY_H",
	36: "KEY_J", 37: "KEY_K", 38: "KEY_L", 39: "KEY_SEMICOLON", 40: "KEY_APOSTROPHE", 41: "KEY_GRAVE",
	42: "KEY_LEFTSHIFT", 43: "KEY_BACKSLASH", 44: "KEY_Z", 45: "KEY_X", 46: "KEY_C", 47: "KEY_V", 48: "KEY_B",
	49: "KEY_N", 50: "KEY_M", 51: "KEY_COMMA", 52: "KEY_DOT", 53: "KEY_SLASH", 54: "KEY_RIGHTSHIFT",
	55: "KEY_KPASTERISK", 56: "KEY_LEFTALT", 57: "KEY_SPACE", 58: "KEY_CAPSLOCK", 59: "KEY_F1", 60: "KEY_F2",
	61: "KEY_F3", 62: "KEY_F4", 63: "KEY_F5", 64: "KEY_F6", 65: "KEY_F7", 66: "KEY_F8", 67: "KEY_F9",
	68: "KEY_F10", 69: "KEY_NUMLOCK", 70: "KEY_SCROLLLOCK", 71: "KEY_KP7", 72: "KEY_KP8", 73: "KEY_KP9",
	74: "KEY_KPMINUS", 75: "KEY_KP4", 76: "KEY_KP5", 77: "KEY_KP6", 78: "KEY_KPPLUS", 79: "KEY_KP1",
	80: "KEY_KP2", 81: "KEY_KP3", 82: "KEY_KP0", 83: "KEY_KPDOT", 86: "KEY_102ND", 87: "KEY_F11",
	88: "KEY_F12", 96: "KEY_KPENTER", 97: "KEY_RIGHTCTRL", 98: "KEY_KPSLASH", 99: "KEY_SYSRQ",
	100: "KEY_RIGHTALT", 102: "KEY_HOME", 103: "KEY_UP", 104: "KEY_PAGEUP", 105: "KEY_LEFT", 106: "KEY_RIGHT",
	107: "KEY_END", 108: "KEY_DOWN", 109: "KEY_PAGEDOWN", 110: "KEY_INSERT", 111: "KEY_DELETE",
	113: "KEY_MUTE", 114: "KEY_VOLUMEDOWN", 115: "KEY_VOLUMEUP", 117: "KEY_KPEQUAL", 118: "KEY_KPPLUSMINUS",
	119: "KEY_PAUSE", 121: "KEY_KPCOMMA", 125: "KEY_LEFTMETA", 126: "KEY_RIGHTMETA", 127: "KEY_COMPOSE",
	139: "KEY_MENU", 140: "KEY_CALC", 150: "KEY_WWW", 155: "KEY_MAIL", 158: "KEY_BACK", 159: "KEY_FORWARD",
	163: "KEY_NEXTSONG", 164: "KEY_PLAYPAUSE", 165: "KEY_PREVIOUSSONG", 166: "KEY_STOPCD",
	172: "KEY_HOMEPAGE", 173: "KEY_REFRESH", 179: "KEY_KPLEFTPAREN", 180: "KEY_KPRIGHTPAREN", 183: "KEY_F13",
	184: "KEY_F14", 185: "KEY_F15", 186: "KEY_F16", 187: "KEY_F17", 188: "KEY_F18", 189: "KEY_F19",
	190: "KEY_F20", 191: "KEY_F21", 192: "KEY_F22", 193: "KEY_F23", 194: "KEY_F24", 217: "KEY_SEARCH",
	256: "BTN_0", 257: "BTN_1", 258: "BTN_2", 259: "BTN_3", 260: "BTN_4", 261: "BTN_5", 262: "BTN_6",
	263: "BTN_7", 264: "BTN_8", 265: "BTN_9", 288: "BTN_TRIGGER", 289: "BTN_THUMB", 290: "BTN_THUMB2",
	291: "BTN_TOP", 292: "BTN_TOP2", 293: "BTN_PINKIE", 294: "BTN_BASE", 295: "BTN_BASE2", 296: "BTN_BASE3",
	297: "BTN_BASE4", 298: "BTN_BASE5", 299: "BTN_BASE6", 304: "BTN_SOUTH", 305: "BTN_EAST", 306: "BTN_C",
	307: "BTN_NORTH", 308: "BTN_WEST", 309: "BTN_Z", 310: "BTN_TL", 311: "BTN_TR", 312: "BTN_TL2",
	313: "BTN_TR2", 314: "BTN_SELECT", 315: "BTN_START", 316: "BTN_MODE", 317: "BTN_THUMBL",
	318: "BTN_THUMBR", 352: "KEY_OK", 353: "KEY_SELECT", 398: "KEY_RED", 399: "KEY_GREEN", 400: "KEY_YELLOW",
	401: "KEY_BLUE", 402: "KEY_CHANNELUP", 403: "KEY_CHANNELDOWN", 425: "KEY_PRESENTATION",
	544: "BTN_DPAD_UP", 545: "BTN_DPAD_DOWN", 546: "BTN_DPAD_LEFT", 547: "BTN_DPAD_RIGHT",
}

// These key codes have a special meaning in this package.
const (
	keyTab        = 15
	keyEnter      = 28
	keyLeftCtrl   = 29
	keyLeftShift  = 42
	keyRightShift = 54
	keyKPEnter    = 96
	keyRightCtrl  = 97

	btnDpadUp    = 0x220
	btnDpadDown  = 0x221
	btnDpadLeft  = 0x222
	btnDpadRight = 0x223
)

// Names returns the names of all keys, sorted.
func Names() []string { return slices.Sorted(maps.Values(names)) }

// characters holds the two characters that each key types, first without and then with shift.
// The layout is that of a US keyboard. Card readers and barcode readers use this layout unless
// they are set up otherwise.
var characters = map[uint16][2]byte{
	2: {'1', '!'}, 3: {'2', '@'}, 4: {'3', '#'}, 5: {'4', '$'}, 6: {'5', '%'}, 7: {'6', '^'}, 8: {'7', '&'},
	9: {'8', '*'}, 10: {'9', '('}, 11: {'0', ')'}, 12: {'-', '_'}, 13: {'=', '+'}, 16: {'q', 'Q'},
	17: {'w', 'W'}, 18: {'e', 'E'}, 19: {'r', 'R'}, 20: {'t', 'T'}, 21: {'y', 'Y'}, 22: {'u', 'U'},
	23: {'i', 'I'}, 24: {'o', 'O'}, 25: {'p', 'P'}, 26: {'[', '{'}, 27: {']', '}'}, 30: {'a', 'A'},
	31: {'s', 'S'}, 32: {'d', 'D'}, 33: {'f', 'F'}, 34: {'g', 'G'}, 35: {'h', 'H'}, 36: {'j', 'J'},
	37: {'k', 'K'}, 38: {'l', 'L'}, 39: {';', ':'}, 40: {'\'', '"'}, 41: {'`', '~'}, 43: {'\\', '|'},
	44: {'z', 'Z'}, 45: {'x', 'X'}, 46: {'c', 'C'}, 47: {'v', 'V'}, 48: {'b', 'B'}, 49: {'n', 'N'},
	50: {'m', 'M'}, 51: {',', '<'}, 52: {'.', '>'}, 53: {'/', '?'}, 55: {'*', '*'}, 57: {' ', ' '},
	71: {'7', '7'}, 72: {'8', '8'}, 73: {'9', '9'}, 74: {'-', '-'}, 75: {'4', '4'}, 76: {'5', '5'},
	77: {'6', '6'}, 78: {'+', '+'}, 79: {'1', '1'}, 80: {'2', '2'}, 81: {'3', '3'}, 82: {'0', '0'},
	83: {'.', '.'}, 86: {'\\', '|'}, 98: {'/', '/'},
}
