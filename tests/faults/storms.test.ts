// `npm run storms` is for people with ten minutes; here one little storm sees to it that it can be run.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isWeathered, renderBlown } from '../../storms/report.ts'
import { addTally, calm, recovered, rounds, type Storm, type Tally } from '../../storms/storm.ts'

const RUN = path.join(import.meta.dirname, '../../storms/run.ts')
const TEST_TIMEOUT_MS = 240_000

async function storms(...args: string[]): Promise<{ code: unknown; out: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...args])
    return { code: 0, out: stdout }
  } catch (error) {
    const { code, stdout } = error as { code: unknown; stdout: string }
    return { code, out: stdout }
  }
}

describe('npm run storms', { timeout: TEST_TIMEOUT_MS }, () => {
  it('kills a service under deliveries, and loses, doubles and spoils none', async () => {
    const { code, out } = await storms('--only', 'breeze', '--minutes', '0.01')
    expect(out).toMatch(
      /^breeze \(embedded\): lost 0, doubled 0, wrong 0 of [1-9]\d* \(.*; ready again after .* s; .*\)/,
    )
    expect(out).toMatch(/^\| What breaks \| Promise \| Embedded \| PostgreSQL \|$/m)
    expect(out).toMatch(/^\| The process .*once \| storms can be run \| 0 of [1-9]\d*; ready again after .* \| {2}\|$/m)
    expect([code, out]).toEqual([0, expect.stringContaining('Every storm was weathered.')])
  })

  it('names its storms, and refuses others', async () => {
    expect((await storms('--list')).out).toMatch(/^kill-9: .+$/m)
    expect(await storms('--only', 'drizzle')).toMatchObject({ code: 2, out: expect.stringContaining('drizzle') })
    expect(await storms('--only', 'outage', '--on', 'embedded')).toMatchObject({ code: 2 })
    expect(await storms('--times', '0')).toMatchObject({ code: 2 })
  })
})

describe('the account of a storm', () => {
  const storm: Storm = {
    name: 'gale',
    breaks: 'nothing',
    promise: 'nothing is noticed',
    within: { readyMs: 2_000 },
    on: ['embedded'],
    blow: async () => calm(),
  }
  const blown = (tally: Partial<Tally>) =>
    ({ storm, database: 'embedded', tookMs: 0, tally: { ...calm(), of: 3, ...tally } }) as const

  it('the account of a storm is well when nothing is lost, doubled or wrong, and every promise is held', () => {
    const fine = blown({ figures: { readyMs: 2_000 } })
    expect([isWeathered(fine), renderBlown(fine)]).toEqual([
      true,
      'gale (embedded): lost 0, doubled 0, wrong 0 of 3 (ready again after 2.0 s); 0.0 s',
    ])
  })

  it.each([{ lost: 1 }, { doubled: 1 }, { wrong: 1 }, { figures: { readyMs: 2_100 } }])(
    'the account of a storm is not well with %o',
    (tally) => {
      expect(isWeathered(blown(tally))).toBe(false)
    },
  )

  it('names a broken promise', () => {
    expect(renderBlown(blown({ figures: { readyMs: 2_100 } }))).toContain(
      'BROKEN PROMISE: ready again after 2.1 s, promised were 2 s',
    )
  })

  it('the account of a storm is not well when it broke off, and well when the machine does not allow it', () => {
    const because = 'it takes root'
    expect(isWeathered({ ...blown({}), tally: { isSkipped: false, because } })).toBe(false)
    expect(isWeathered({ ...blown({}), tally: { isSkipped: true, because } })).toBe(true)
  })

  it('the account of a storm names the longest of all rounds', () => {
    const both = [4_000, 1_000].map((readyMs) => ({ ...calm(), of: 1, figures: { readyMs } }))
    expect(both.reduce(addTally, calm())).toMatchObject({ of: 2, figures: { readyMs: 4_000 } })
  })

  it('counts the breaks of all rounds, and says how long half of the recoveries took', () => {
    const all = [recovered([900, 4_000]), recovered([1_000])].reduce(addTally, calm())
    expect(renderBlown(blown(all))).toContain(
      '(ready again after 4.0 s; broken 3 times, half of them ready again after 1.0 s)',
    )
  })

  it('repeats its round until enough was broken, whatever the time', async () => {
    const weather = { database: 'embedded', folder: '', endsAtMs: 0, size: 1, afterwards: () => undefined } as const
    const twoBreaks = async (): Promise<Tally> => recovered([1, 1])
    expect((await rounds({ ...weather, times: 5 }, twoBreaks)).recoveriesMs).toHaveLength(6)
    expect((await rounds(weather, twoBreaks)).recoveriesMs).toHaveLength(2)
  })
})
