// Package device is the table as one device. It connects the readers and keys, the dice, and
// the journal on the disk to a match.
//
// Signals come to a [Table] from [Source]s, such as a reader. [Output]s, such as a panel, draw
// the table. One goroutine owns the match. Every input goes through three steps, always in
// this order:
//
//  1. apply: the match accepts or refuses the input;
//  2. journal: the input's line is written, and the disk has confirmed it;
//  3. show: outputs get the frame, and the sender gets the receipt.
//
// So whatever anyone has seen survives a power cut. Inputs that arrive while the disk is busy
// are applied, and wait together for the next sync. The slower the disk, the more inputs one
// sync covers.
//
// When the disk fails, play continues. Players are told that nothing is being saved, and the
// lines stay in memory until the disk works again.
//
// The loop owns six parts, each in its own file:
//
//   - the game: the match with its clock, dice and words;
//   - the keeper: journals on their way to the disk;
//   - the outbox: the outputs, and the frames and receipts that wait for them;
//   - the lobby: the questions at the empty table;
//   - lessons: they teach the catalogue what tags mean;
//   - the hearing: the call for help, and the hall's message.
package device
