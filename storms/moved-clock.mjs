// Loaded into a service by a storm: its clock goes ahead by as many milliseconds as a file says.
import { readFileSync } from 'node:fs'

const LOOK_MS = 20
const RealDate = globalThis.Date
let aheadMs = 0

setInterval(() => {
  try {
    aheadMs = Number(readFileSync(process.env.STORM_CLOCK_FILE, 'utf8')) || aheadMs
  } catch {
    // Nobody has moved it yet.
  }
}, LOOK_MS).unref()

globalThis.Date = class MovedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + aheadMs)
    else super(...given)
  }

  static now() {
    return RealDate.now() + aheadMs
  }
}
