// What the storms did, as a person reads it: a line for each, and a table for the page of operating in the end.
import { renderStatuses } from './deliveries.ts'
import { brokenPromises, renderMeasured, renderPromised, seconds } from './figures.ts'
import { isDamaged, type Storm, type StormDatabase, type Tally } from './storm.ts'

/** One storm over one database. */
export interface Blown {
  storm: Storm
  database: StormDatabase
  tookMs: number
  /** The account; or why there is none, which is damage unless the machine does not allow the storm. */
  tally: Tally | { isSkipped: boolean; because: string }
}

/** Whether nothing was lost, doubled or wrong, and every promise was held. */
export function isWeathered({ storm, tally }: Blown): boolean {
  if ('because' in tally) return tally.isSkipped
  return !isDamaged(tally) && brokenPromises(storm.within ?? {}, tally.figures ?? {}).length === 0
}

/** `kill-9 (embedded): lost 0, doubled 0, wrong 0 of 1234 (…); 31 s`. */
export function renderBlown({ storm, database, tally, tookMs }: Blown): string {
  const name = `${storm.name} (${database})`
  if ('because' in tally) return `${name}: ${tally.isSkipped ? 'skipped, because' : 'broke off:'} ${tally.because}`
  const { lost, doubled, wrong, of, statuses = new Map(), figures = {}, recoveriesMs = [], remark } = tally
  const details = [
    ...(statuses.size === 0 ? [] : [renderStatuses(statuses)]),
    ...renderMeasured(figures),
    ...renderRecoveries(recoveriesMs),
    ...(remark === undefined ? [] : [remark]),
  ]
  const said = details.length === 0 ? '' : ` (${details.join('; ')})`
  const broken = brokenPromises(storm.within ?? {}, figures).map((each) => `; BROKEN PROMISE: ${each}`)
  return `${name}: lost ${lost}, doubled ${doubled}, wrong ${wrong} of ${of}${said}${broken.join('')}; ${seconds(tookMs)}`
}

/** A table in Markdown: what breaks, what is promised, and what was measured on each database. */
export function renderSummary(all: readonly Blown[]): string {
  const storms = [...new Set(all.map(({ storm }) => storm))]
  const rows = storms.map((storm) => {
    const promise = [storm.promise, ...renderPromised(storm.within ?? {})].join('; ')
    const measured = (['embedded', 'PostgreSQL'] as const).map((database) =>
      renderCell(all.find((each) => each.storm === storm && each.database === database)),
    )
    return [capitalized(storm.breaks), promise, ...measured]
  })
  return [['What breaks', 'Promise', 'Embedded', 'PostgreSQL'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .toSpliced(1, 0, '|---|---|---|---|')
    .join('\n')
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function renderCell(blown: Blown | undefined): string {
  if (blown === undefined) return ''
  const { tally } = blown
  if ('because' in tally) return tally.isSkipped ? 'not measured' : 'broke off'
  const { lost, doubled, wrong, of, figures = {}, recoveriesMs = [], remark } = tally
  const damage = isDamaged(tally) ? `lost ${lost}, doubled ${doubled}, wrong ${wrong}` : '0'
  return [
    `${damage} of ${of}`,
    ...renderMeasured(figures),
    ...renderRecoveries(recoveriesMs),
    ...(remark === undefined ? [] : [remark]),
  ].join('; ')
}

/** `broken 50 times, in half of them ready again after 0.9 s`; nothing of a storm that breaks something in another way. */
function renderRecoveries(recoveriesMs: readonly number[]): string[] {
  const times = recoveriesMs.length
  const middle = recoveriesMs.toSorted((one, other) => one - other)[Math.floor((times - 1) / 2)]
  return middle === undefined ? [] : [`broken ${times} times, half of them ready again after ${seconds(middle)}`]
}
