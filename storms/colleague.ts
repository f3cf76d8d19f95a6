// Somebody who works here asks for as much as they may, and for more, while callers ring.
import path from 'node:path'
import type { Database } from '../src/database/database.ts'
import { sql } from '../src/database/drizzle.ts'
import { ring } from './callers.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, rounds, type Tally, type Weather } from './storm.ts'
import { fillDatabase, stormDatabase } from './storm-database.ts'

const CONTACT = 'res.partner'
const MEGABYTE = 1_000_000
const UPLOADS = 300
const ROWS = 1_000

/** Notes with accents, which take longest to look into. */
const NOTES = 1_000
const NOTE_WORDS = 1_500
const NOTED = 'Somebody with a note'

/** What is asked, and what it is answered. */
interface Attack {
  name: string
  ask(ids: readonly number[]): Promise<Response>
  expected: number | readonly number[]
}

/** Calls of the largest size, one kind after the other; the remark has the longest wait of a caller beside each. */
export async function colleague(weather: Weather): Promise<Tally> {
  const { databaseUrl } = await stormDatabase(weather)
  const starting = { dataDir: path.join(weather.folder, 'data'), databaseUrl }
  const first = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => first.stop('SIGKILL'))
  await first.setUp()
  await first.stop()
  await fillDatabase(starting, writeNotes)
  const service = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => service.stop('SIGKILL'))
  const longest = new Map<string, number>()
  return rounds(weather, async () => {
    const ids = await service.call<number[]>(CONTACT, 'create', { vals_list: named(100) })
    let tally = calm()
    const refused: string[] = []
    for (const attack of attacksOn(service)) {
      const { longestMs, unanswered, answered, wrong, status } = await beside(service, attack, ids)
      longest.set(attack.name, Math.max(longestMs, longest.get(attack.name) ?? 0))
      if (wrong > 0) refused.push(`${attack.name} was answered ${status}`)
      tally = addTally(tally, {
        ...calm(),
        of: answered,
        lost: unanswered,
        wrong,
        figures: { callerMs: longestMs },
        remark: [...longest.entries().map(([name, ms]) => `${name} ${Math.round(ms)} ms`), ...refused].join(', '),
      })
    }
    return tally
  })
}

async function beside(service: ServiceUnderStorm, { ask, expected }: Attack, ids: readonly number[]) {
  let isOver = false
  const ringing = ring({ url: () => service.url, until: () => isOver })
  const { status } = await ask(ids).finally(() => {
    isOver = true
  })
  const { longestMs, unanswered, answered } = await ringing
  return { longestMs, unanswered, answered: answered.length, wrong: [expected].flat().includes(status) ? 0 : 1, status }
}

function attacksOn(service: ServiceUnderStorm): Attack[] {
  const call = (model: string, method: string, args: object) =>
    fetch(`${service.url}/json/2/${model}/${method}`, {
      method: 'POST',
      headers: { authorization: `bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
  const children = (count: number) => named(count).map((values) => [0, 0, values])
  const create = (values: object) => () => call(CONTACT, 'create', { vals_list: values })
  const comment = 'ä'.repeat(MEGABYTE / 2)
  const search = (operator: string, texts: number) => () => {
    const either = Array.from({ length: texts - 1 }, () => '|')
    const conditions = Array.from({ length: texts }, (_each, at) => ['comment', operator, `nowhere ${at}`])
    return call(CONTACT, 'search_count', { domain: [['name', '=', NOTED], ...either, ...conditions] })
  }
  return [
    { name: '6,000 nested contacts', ask: create({ name: 'A', child_ids: children(6_000) }), expected: 422 },
    {
      name: 'a text of 1 MB to 100 contacts',
      ask: (ids) => call(CONTACT, 'write', { ids, vals: { comment } }),
      expected: 413,
    },
    { name: '1,000 contacts', ask: create(named(ROWS)), expected: 200 },
    { name: '999 nested contacts', ask: create({ name: 'A', child_ids: children(ROWS - 1) }), expected: 200 },
    { name: '4 texts of 1 MB', ask: create(named(4).map((each) => ({ ...each, comment }))), expected: 200 },
    // The embedded database refuses what takes too long; a server is asked, and stops it.
    {
      name: 'a search in them',
      ask: () => call(CONTACT, 'search_count', { domain: [['comment', 'ilike', 'Ö']] }),
      expected: [200, 422],
    },
    { name: 'a text in 60 MB of notes', ask: search('ilike', 1), expected: [200, 422] },
    { name: '8 texts as they are in those', ask: search('like', 8), expected: [200, 422] },
    { name: '20 texts in those', ask: search('ilike', 20), expected: [200, 422] },
    {
      name: '1,000 saved views',
      ask: () =>
        call('connect.view', 'create', {
          vals_list: named(ROWS).map((each) => ({ ...each, model: CONTACT, query: {} })),
        }),
      expected: 422,
    },
    // A second round finds as many files of theirs on no note as one person may have.
    { name: '300 files at once', ask: () => sendFiles(service), expected: [200, 429] },
  ]
}

async function writeNotes(db: Database): Promise<void> {
  await db.query(sql`insert into res_partner (name, active, comment) select ${NOTED}, true,
      (select string_agg(md5(n::text || i) || ' grüezi', ' ') from generate_series(1, ${NOTE_WORDS}::int) i)
    from generate_series(1, ${NOTES}::int) n`)
}

function named(count: number): object[] {
  return Array.from({ length: count }, (_each, at) => ({ name: `Somebody ${at}` }))
}

/** The answer to the first of them that was taken; where none was, to the first. */
async function sendFiles(service: ServiceUnderStorm): Promise<Response> {
  const send = () =>
    fetch(`${service.url}/api/attachment?name=a`, {
      method: 'POST',
      headers: { authorization: `bearer ${service.key}`, 'content-type': 'application/octet-stream' },
      body: 'a file',
    })
  const answers = await Promise.all(Array.from({ length: UPLOADS }, send))
  return answers.find(({ status }) => status === 200) ?? answers[0] ?? Response.error()
}
