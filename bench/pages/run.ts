// What people at their pages wait for, and what callers wait for because of them. See docs/developing.md.
//
//   npm run bench -- pages million|browsing|live|walk [--embedded] [--postgres] [--calls 1000000] [--times 20] [--per-second 100]
//     [--people 4] [--place folder] [--only text]
import { parseArgs } from 'node:util'
import { measureBrowsing } from './browsing.ts'
import { type Company, type Kind, openCompany } from './company.ts'
import { measureLive } from './live.ts'
import { measureMillion } from './million.ts'
import { measureWalk } from './walk.ts'

export interface MeasureOptions {
  /** How often each question is asked. */
  times: number
  /** Only the questions whose names hold this. */
  only: string
  /** Webhooks a second, where people browse. */
  perSecond: number
  /** How many of the company's people browse. */
  people: number
}
type Measure = (company: Company, options: MeasureOptions) => Promise<string>

const MEASURES: Readonly<Record<string, Measure>> = {
  million: measureMillion,
  browsing: measureBrowsing,
  live: measureLive,
  walk: measureWalk,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    embedded: { type: 'boolean', default: false },
    postgres: { type: 'boolean', default: false },
    calls: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '20' },
    'per-second': { type: 'string', default: '100' },
    people: { type: 'string', default: '4' },
    place: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})

await main()

async function main(): Promise<void> {
  const names = positionals.length === 0 ? Object.keys(MEASURES) : positionals
  const kinds: Kind[] =
    values.embedded === values.postgres ? ['embedded', 'PostgreSQL'] : [values.embedded ? 'embedded' : 'PostgreSQL']
  const { times, only } = values
  const options = { times: Number(times), only, perSecond: Number(values['per-second']), people: Number(values.people) }
  for (const kind of kinds) {
    const company = await openCompany(kind, { calls: Number(values.calls), place: values.place, say })
    try {
      for (const name of names) {
        const measure = MEASURES[name]
        if (measure === undefined)
          throw new Error(`there is no measurement ${name}: ${Object.keys(MEASURES).join(', ')}`)
        const report = await measure(company, options)
        console.log(`\n## ${name}, ${kind} (${company.remark})\n\n${report}`)
      }
    } finally {
      await company.remove()
    }
  }
}

/** Progress goes where it does not mix with the report. */
function say(text: string): void {
  process.stderr.write(`... ${text}\n`)
}
