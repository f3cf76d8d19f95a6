import { setTimeout as delay } from 'node:timers/promises'

/** Rows of one piece, at first and at most; in between it depends on how long the last ones took. */
const ROWS_FIRST = 20
const ROWS_MAX = 200
/** How long a piece may hold up everybody who waits for the embedded engine; after a longer one fewer rows are taken at once. */
const PIECE_MS = 40
/** Between two pieces, so that others have their turn. */
const PAUSE_MS = 5

/** Works some rows at a time, each time in a transaction of its own, until `work` says that none are left. */
export async function inPieces(work: (rowsMax: number) => Promise<boolean>): Promise<void> {
  let rows = ROWS_FIRST
  for (;;) {
    const began = performance.now()
    if (!(await work(rows))) return
    rows = performance.now() - began > PIECE_MS ? Math.ceil(rows / 2) : Math.min(rows * 2, ROWS_MAX)
    await delay(PAUSE_MS)
  }
}
