// Package device is the table as one device: its readers and keys, its dice,
// the journal on its disk, and the loop that ties them to a match.
//
// A [Table] is driven by [Source]s, such as a reader, and drawn by [Output]s,
// such as a panel. One goroutine owns the match. Every input goes through
// three steps, always in this order:
//
//  1. apply: the match accepts or refuses it;
//  2. journal: its line is written and the disk has said that it is there;
//  3. show: outputs get the frame, and whoever asked gets the receipt.
//
// So what anyone has seen survives a power cut. Inputs that arrive while the
// disk is busy are applied and wait together for the next sync: the slower
// the disk, the more inputs one sync covers.
//
// When the disk fails, play goes on: players are told that nothing is kept,
// the lines stay in memory, and they are written when the disk works again.
package device
