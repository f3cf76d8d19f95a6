// Who is at work on a record just now, such as answering in a conversation. Nothing of it is stored: a browser that says nothing
// more is forgotten by those that heard of it.
import { sql } from '../../database/drizzle.ts'
import { parseJson } from '../../json.ts'
import type { Env } from '../access/env.ts'

/** So long somebody counts as there after they were last heard of; a page says so again in half of it. */
const PRESENT_MS = 8_000
/** Records at which one person is heard of in one batch. */
const RECORDS_MAX = 3
/** People who are heard of in one batch. */
const PEOPLE_MAX = 200
const NAME_CHARS_MAX = 200

/** What processes notify each other of. */
interface PresenceNotice {
  model: string
  id: number
  user: number
  name: string
  /** They have gone, or are done. */
  isOver: boolean
}

interface At {
  model: string
  ids: readonly number[]
  isOver: boolean
}

/** Tells open pages that the person who asks is at work on records that they may read; the caller has checked that. */
export async function tellPresent({ db, identity }: Env, { model, ids, isOver }: At): Promise<void> {
  const { userId: user } = identity
  const [row] = await db.query<{ name: string | null }>(sql`select name from res_users where id = ${user}::bigint`)
  const name = (row?.name ?? '').slice(0, NAME_CHARS_MAX)
  for (const id of ids.slice(0, RECORDS_MAX)) {
    await db.notify('connect_presence', JSON.stringify({ model, id, user, name, isOver } satisfies PresenceNotice))
  }
}

/** Somebody at a record, as a browser hears of them. */
interface Present {
  model: string
  id: number
  user: number
  name: string
  for_ms: number
}

/** Who was heard of since it was last taken: the newest of each person at each record, and of one person at few of them. */
export class GatheredPresence {
  #byKey = new Map<string, PresenceNotice>()

  get isEmpty(): boolean {
    return this.#byKey.size === 0
  }

  add(payload: string): void {
    const notice = parseJson(payload) as PresenceNotice | undefined
    if (notice === undefined || typeof notice.id !== 'number') return
    const key = `${notice.user} ${notice.model} ${notice.id}`
    if (!this.#byKey.has(key) && !this.#hasRoom(notice.user)) return
    this.#byKey.set(key, notice)
  }

  take(): readonly PresenceNotice[] {
    const taken = [...this.#byKey.values()]
    this.clear()
    return taken
  }

  clear(): void {
    this.#byKey = new Map()
  }

  #hasRoom(user: number): boolean {
    const own = [...this.#byKey.values()].filter((each) => each.user === user)
    return own.length < RECORDS_MAX && this.#byKey.size < RECORDS_MAX * PEOPLE_MAX
  }
}

/** Of those who were heard of the others, at records that this person sees. */
export function presentFor(
  userId: number,
  notices: readonly PresenceNotice[],
  seen: ReadonlyMap<string, ReadonlySet<number>>,
): Present[] {
  return notices
    .filter(({ user, model, id }) => user !== userId && seen.get(model)?.has(id) === true)
    .map(({ model, id, user, name, isOver }) => ({ model, id, user, name, for_ms: isOver ? 0 : PRESENT_MS }))
}
