package mfrc522

// Addresses of registers. The numbers in the comments are sections of the MFRC522 product data
// sheet, rev. 3.9 of 27 April 2016, chapter 9.
const (
	regCommand    = 0x01 // 9.3.1.2
	regComIrq     = 0x04 // 9.3.1.5
	regError      = 0x06 // 9.3.1.7
	regFIFOData   = 0x09 // 9.3.1.10
	regFIFOLevel  = 0x0A // 9.3.1.11
	regControl    = 0x0C // 9.3.1.13
	regBitFraming = 0x0D // 9.3.1.14
	regColl       = 0x0E // 9.3.1.15
	regMode       = 0x11 // 9.3.2.2
	regTxMode     = 0x12 // 9.3.2.3
	regRxMode     = 0x13 // 9.3.2.4
	regTxControl  = 0x14 // 9.3.2.5
	regTxASK      = 0x15 // 9.3.2.6
	regRFCfg      = 0x26 // 9.3.3.6
	regTMode      = 0x2A // 9.3.3.10
	regTPrescaler = 0x2B // 9.3.3.10
	regTReloadH   = 0x2C // 9.3.3.11
	regTReloadL   = 0x2D // 9.3.3.11
	regVersion    = 0x37 // 9.3.4.8
)

// Bits and values of CommandReg; the commands are in table 149, section 10.3.
const (
	cmdIdle       = 0x00
	cmdTransmit   = 0x04
	cmdTransceive = 0x0C
	cmdSoftReset  = 0x0F
	powerDown     = 0x10 // reads 1 until the chip is awake
)

// Bits of ComIrqReg. If bit 7 of a written value is 0, the write clears the bits that are 1 in
// the value.
const (
	irqSet1  = 0x80 // reads 0
	irqTx    = 0x40
	irqRx    = 0x20
	irqErr   = 0x02
	irqTimer = 0x01
	irqAll   = 0x7F
)

// Bits of ErrorReg.
const (
	errTemp     = 0x40 // the antenna drivers are switched off by heat
	errReserved = 0x20
	errColl     = 0x08
)

const (
	fifoSize  = 64
	flushFIFO = 0x80 // FIFOLevelReg

	startSend    = 0x80 // BitFramingReg; RxAlign is in bits 4 to 6, TxLastBits in 0 to 2
	rxLastBits   = 0x07 // ControlReg
	controlTimer = 0xC0 // ControlReg: write only
	collNotValid = 0x20 // CollReg
	collPos      = 0x1F // CollReg: 0 is the 32nd bit
	rfOff        = 0x80 // TxControlReg: its reset value
	rfOn         = 0x83 // Tx1RFEn, Tx2RFEn
	force100ASK  = 0x40 // TxASKReg: for ISO/IEC 14443 type A
	modeCRCA     = 0x3D // ModeReg: its reset value with CRCPreset 6363h
)

// Settings of the timer (8.5). The timer starts when a frame has been sent, and stops with the
// first bits of the answer (TAuto). A tick is (2*339+1)/13.56 MHz = 50.07 µs.
const (
	timerAuto = 0x80 // TModeReg: TAuto
	prescaler = 339  // TPrescaler_Hi in TModeReg, TPrescaler_Lo in TPrescalerReg
)

// A setting is the value that a register must hold.
type setting struct{ reg, value byte }

// settings holds the registers that Init writes and reads back, except for the gain. TxModeReg
// and RxModeReg are at 106 kBd and without checksums. Checksums are made and tested here, so
// that they cover the wires too.
//
// Init also writes 0 to CollReg. With ValuesAfterColl at 0, the bits after a collision are
// cleared.
var settings = [...]setting{
	{regTMode, timerAuto | prescaler>>8},
	{regTPrescaler, prescaler & 0xFF},
	{regTReloadH, 0},
	{regTReloadL, quickTicks},
	{regTxASK, force100ASK},
	{regMode, modeCRCA},
	{regTxMode, 0},
	{regRxMode, 0},
	{regTxControl, rfOff},
}

// gains holds the gain in dB for each value of RxGain in RFCfgReg (table 98). Values 2 and 3
// repeat 0 and 1.
var gains = [...]int{0: 18, 1: 23, 4: 33, 5: 38, 6: 43, 7: 48}

const rfCfgReserved = 0x08 // bits 3 to 0 of RFCfgReg after a reset
