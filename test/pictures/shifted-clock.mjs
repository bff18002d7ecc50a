import { readFileSync } from 'node:fs';

// Lets a server live in the past: the file CLOCK_OFFSET_FILE holds how many milliseconds its clock is behind.
const RealDate = Date;
const readOffset = () => Number(readFileSync(process.env.CLOCK_OFFSET_FILE, 'utf8')) || 0;
let offset = readOffset();
setInterval(() => {
  offset = readOffset();
}, 20).unref();

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() - offset);
    else super(...values);
  }
  static now() {
    return RealDate.now() - offset;
  }
};
