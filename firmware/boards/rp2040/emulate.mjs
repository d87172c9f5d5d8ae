// Two emulated boards, each with its flash as it would be programmed, joined by a cable: the east end of board 0 and the west end of board 1.
//
//     node emulate.mjs MODULE ELF SECONDS OUT
//
// MODULE is the file that rp2040js is loaded from. After so many emulated seconds, OUT.0 and OUT.1 have what a probe would read of each board by
// RTT. `cargo xtask boards` runs this, and decodes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [module, elfPath, seconds, out] = process.argv.slice(2);
const { RP2040 } = await import(pathToFileURL(module).href);

const FLASH = 0x10000000;
const RAM = 0x20000000;
/** The vector table. What comes before it in flash and in the boot ROM sets up the flash, which needs none here. */
const VECTORS = FLASH + 0x100;
/** A byte at 1 Mbaud: ten bits. */
const BYTE_NANOS = 10_000;
/** How far one board may be ahead of the other. */
const SLICE_NANOS = 1_000;
/** A cycle of the core at 125 MHz. */
const CYCLE_NANOS = 8;
const STRAP = 2;

const elf = readFileSync(elfPath);

/** Segments with their addresses in flash. */
function segments() {
  const table = elf.readUInt32LE(0x1c);
  const count = elf.readUInt16LE(0x2c);
  return Array.from({ length: count }, (_, number) => table + 32 * number)
    .filter((at) => elf.readUInt32LE(at) === 1 && elf.readUInt32LE(at + 16) > 0)
    .map((at) => {
      const from = elf.readUInt32LE(at + 4);
      return { to: elf.readUInt32LE(at + 12), bytes: elf.subarray(from, from + elf.readUInt32LE(at + 16)) };
    });
}

/** The address of a symbol. */
function symbol(name) {
  const [table, size, count] = [elf.readUInt32LE(0x20), elf.readUInt16LE(0x2e), elf.readUInt16LE(0x30)];
  const section = (number) => {
    const at = table + size * number;
    const word = (offset) => elf.readUInt32LE(at + offset);
    return { type: word(4), offset: word(0x10), size: word(0x14), link: word(0x18) };
  };
  const symbols = Array.from({ length: count }, (_, number) => section(number)).find(({ type }) => type === 2);
  const names = section(symbols.link).offset;
  for (let at = symbols.offset; at < symbols.offset + symbols.size; at += 16) {
    const start = names + elf.readUInt32LE(at);
    if (elf.toString('latin1', start, elf.indexOf(0, start)) === name) return elf.readUInt32LE(at + 4);
  }
  throw new Error(`${elfPath} has no ${name}`);
}

/** The control block of RTT: 24 bytes, then the first channel: name, buffer, size, written, read, flags. */
const channel = symbol('_SEGGER_RTT') - RAM + 24;

/**
 * Two things that rp2040js 1.4 leaves out of a UART. The register that turns DMA on reads as it was written. The interrupt of a transmitter that
 * has room comes when that changes, which it never does where a byte leaves at once: else it would come for ever.
 */
function complete(uart) {
  const DMACR = 0x48;
  const [read, write] = [uart.readUint32.bind(uart), uart.writeUint32.bind(uart)];
  let dma = 0;
  uart.readUint32 = (offset) => (offset === DMACR ? dma : read(offset));
  uart.writeUint32 = (offset, value) => (offset === DMACR ? (dma = value) : write(offset, value));
  uart.checkInterrupts = () => uart.rp2040.setInterrupt(uart.irq, (uart.interruptStatus & uart.interruptMask) !== 0);
}

class Board {
  constructor(number) {
    const chip = new RP2040();
    // It warns of registers that it leaves out, of which each has no effect here.
    chip.logger = { debug() {}, info() {}, warn() {}, error: (_, what) => console.error(`board ${number}: ${what}`) };
    for (const { to, bytes } of segments()) chip.flash.set(bytes, to - FLASH);
    chip.core.VTOR = VECTORS;
    chip.core.reset();
    chip.uart.forEach(complete);
    // Open, it is pulled up.
    chip.gpio[STRAP].setInputValue(number === 0);
    chip.onBreak = () => {
      throw new Error(`board ${number} is at a breakpoint: it has panicked`);
    };
    this.chip = chip;
    this.uart = chip.uart[number];
    this.said = [];
    /** Bytes under way to this board, and when each of them is there. */
    this.coming = [];
  }

  join(other) {
    let free = 0;
    this.uart.onByte = (byte) => {
      free = Math.max(free, this.chip.clock.nanos) + BYTE_NANOS;
      other.coming.push({ byte, nanos: free });
    };
  }

  run(until) {
    const { core, clock } = this.chip;
    while (this.coming.length > 0 && this.coming[0].nanos <= until) this.uart.feedByte(this.coming.shift().byte);
    while (clock.nanos < until) {
      if (core.waiting) {
        const next = clock.nanosToNextAlarm || SLICE_NANOS;
        clock.tick(Math.min(next, until - clock.nanos) || 1);
      } else {
        clock.tick(core.executeInstruction() * CYCLE_NANOS);
      }
    }
    this.listen();
  }

  /** Reads what the board has written to RTT, as a probe does. */
  listen() {
    const { sram, sramView } = this.chip;
    const word = (offset) => sramView.getUint32(channel + offset, true);
    const [buffer, size, written] = [word(4) - RAM, word(8), word(12)];
    for (let read = word(16); read !== written; ) {
      this.said.push(sram[buffer + read]);
      read = (read + 1) % size;
      sramView.setUint32(channel + 16, read, true);
    }
  }
}

const boards = [new Board(0), new Board(1)];
boards[0].join(boards[1]);
boards[1].join(boards[0]);
for (let nanos = 0; nanos < Number(seconds) * 1e9; nanos += SLICE_NANOS) boards.forEach((board) => board.run(nanos));
boards.forEach(({ said }, number) => writeFileSync(`${out}.${number}`, Buffer.from(said)));
