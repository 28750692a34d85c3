// Package device is the table as one device: its readers and keys, its dice,
// the journal on its disk, and the loop that connects them to a match.
//
// A [Table] is driven by [Source]s, such as a reader, and drawn by [Output]s,
// such as a panel. One goroutine owns the match. Every input goes through
// three steps, always in this order:
//
//  1. apply: the match accepts or refuses it;
//  2. journal: its line is written and the disk has confirmed it;
//  3. show: outputs get the frame, and the sender gets the receipt.
//
// So whatever anyone has seen survives a power cut. Inputs that arrive while the
// disk is busy are applied and wait together for the next sync: the slower
// the disk, the more inputs one sync covers.
//
// When the disk fails, play continues: players are told that nothing is being
// saved, and the lines stay in memory until the disk works again.
//
// The loop owns six parts, each in its own file: the game (the match with its
// clock, dice and words), the keeper (journals on their way to the disk), the
// outbox (the outputs, and the frames and receipts that wait for them), the
// lobby (the empty table's questions), lessons (which teach the catalogue what
// tags mean) and the hearing (the call for help, and the hall's message).
package device
