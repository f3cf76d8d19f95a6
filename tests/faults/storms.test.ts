// `npm run storms` is for people with ten minutes; here one little storm sees to it that it can be run.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

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
    expect(out).toMatch(/^breeze \(embedded\): lost 0, doubled 0, wrong 0 of [1-9]\d* \(.*; ready again within .* s\)/)
    expect([code, out]).toEqual([0, expect.stringContaining('Every storm was weathered.')])
  })

  it('names its storms, and refuses others', async () => {
    expect((await storms('--list')).out).toMatch(/^kill-9: .+$/m)
    expect(await storms('--only', 'drizzle')).toMatchObject({ code: 2, out: expect.stringContaining('drizzle') })
  })
})
