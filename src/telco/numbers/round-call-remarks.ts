import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { outsideNumbers } from '../markup/outside-numbers.ts'

interface Answer {
  id: number
  phone_number: string
  markup: string
  is_route: boolean
}

// Applications by which a number is answered: open, closed, or where what answers it fails.
const ANSWERS = sql`select n.id, n.phone_number, m.markup, m.code_type = 'model_method' as is_route
  from connect_telco_number n cross join lateral (
    select n.markup as id where n.destination = 'markup'
    union select e.res_id from connect_telco_exten e
      where e.id in (n.closed_exten, n.fallback_exten) and e.model = 'connect.telco.markup') answer
  join connect_telco_markup m on m.id = answer.id`

/** Of numbers whose calls go round, as applications call one number of ours after the other, how that comes about. */
export async function roundCalls(db: Queryable): Promise<ReadonlyMap<number, string>> {
  const answers = await db.query<Answer>(ANSWERS)
  const ours = new Set(answers.map(({ phone_number: number }) => number))
  const calls = new Map<string, Set<string>>()
  for (const { phone_number: number, markup, is_route: isRoute } of answers) {
    // The route of calls from phones calls what was dialled, which is the number itself.
    const called = isRoute ? [number] : outsideNumbers(markup).called
    calls.set(number, new Set([...(calls.get(number) ?? []), ...called.filter((each) => ours.has(each))]))
  }
  return new Map(
    answers.flatMap(({ id, phone_number: number }) => {
      const through = wayBack(number, calls)
      return through === undefined ? [] : [[id, sentenceOf(number, through)] as const]
    }),
  )
}

function sentenceOf(number: string, through: string): string {
  return through === number
    ? 'Its application calls this number again, so the call goes in circles.'
    : `Its application calls ${through}, which calls this number again, so the call goes in circles.`
}

/** The number that is called first on the way back to it; undefined where there is none. */
function wayBack(number: string, calls: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const direct = [...(calls.get(number) ?? [])]
  return direct.includes(number) ? number : direct.find((each) => leadsTo(each, number, calls))
}

function leadsTo(from: string, to: string, calls: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const seen = new Set([from])
  for (const each of seen) for (const called of calls.get(each) ?? []) seen.add(called)
  return seen.has(to)
}
