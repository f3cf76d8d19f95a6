/** Rejected deliveries that one process logs in a minute: a sender that is not the provider does not get to fill our disk. */
const REJECTED_PER_MINUTE_MAX = { signed: 100, bare: 200 }
/** Bytes of them that one process logs in a day. */
const REJECTED_BYTES_PER_DAY_MAX = { signed: 16 * 1024 * 1024, bare: 16 * 1024 * 1024 }
/** Rejected deliveries of which one process finds out in a minute what is wrong: each takes some milliseconds. */
const EXPLAINED_PER_MINUTE_MAX = 60
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Whether a rejected delivery carried a signature or a token. Those that do are kept room for: somebody must see them. */
type RejectionKind = 'signed' | 'bare'

/** Decides which rejected deliveries are logged. Each kind has its own room, so that one cannot crowd out the other. */
export class RejectionBudget {
  readonly #spent = { signed: newSpending(), bare: newSpending() }
  #explained = { minute: 0, rows: 0 }
  #notLogged = 0

  /** Whether there is time to find out what is wrong with one more; it counts against the budget when there is. */
  explains(at: Date): boolean {
    const minute = Math.floor(at.getTime() / MINUTE_MS)
    if (this.#explained.minute !== minute) this.#explained = { minute, rows: 0 }
    this.#explained.rows += 1
    return this.#explained.rows <= EXPLAINED_PER_MINUTE_MAX
  }

  /** Rejected deliveries that were not logged since the process started. */
  get notLogged(): number {
    return this.#notLogged
  }

  /** Whether a rejected delivery of so many bytes may be logged; it counts against the budget when it may. */
  allows(kind: RejectionKind, bytes: number, at: Date): boolean {
    const spent = this.#spent[kind]
    const minute = Math.floor(at.getTime() / MINUTE_MS)
    const day = Math.floor(at.getTime() / DAY_MS)
    if (spent.minute !== minute) Object.assign(spent, { minute, rows: 0 })
    if (spent.day !== day) Object.assign(spent, { day, bytes: 0 })
    const hasRoom =
      spent.rows < REJECTED_PER_MINUTE_MAX[kind] && spent.bytes + bytes <= REJECTED_BYTES_PER_DAY_MAX[kind]
    if (!hasRoom) {
      this.#notLogged += 1
      return false
    }
    spent.rows += 1
    spent.bytes += bytes
    return true
  }
}

function newSpending(): { minute: number; rows: number; day: number; bytes: number } {
  return { minute: 0, rows: 0, day: 0, bytes: 0 }
}
