import { expect, test } from 'vitest'
import { Mailbox } from '../../emulators/mailbox.ts'
import { VirtualClock } from '../../emulators/virtual-clock.ts'

const START_MS = Date.UTC(2026, 0, 1)

test('an hour passes at once, and appointments come in their order', async () => {
  const clock = new VirtualClock({ startMs: START_MS })
  const seen: string[] = []
  const note = async (name: string, seconds: number): Promise<void> => {
    await clock.sleep(seconds)
    seen.push(`${name} at ${clock.unixSeconds - START_MS / 1_000}`)
  }
  const startedMs = performance.now()
  await Promise.all([note('hour', 3_600), note('minute', 60), note('second', 1)])
  expect(seen).toEqual(['second at 1', 'minute at 60', 'hour at 3600'])
  // Not the smallest of them was waited for in real time, or the hour would have been too.
  expect(performance.now() - startedMs).toBeLessThan(60_000)
})

test('time stands still while real work is under way', async () => {
  const clock = new VirtualClock({ startMs: START_MS })
  const seen: string[] = []
  const sleeping = clock.sleep(10).then(() => seen.push('slept'))
  await clock.during(async () => {
    await new Promise((resolve) => setTimeout(resolve, 30))
    seen.push('worked')
  })
  await sleeping
  expect(seen).toEqual(['worked', 'slept'])
})

test('an aborted sleep rejects with the reason and leaves no appointment', async () => {
  const clock = new VirtualClock({ startMs: START_MS })
  const controller = new AbortController()
  const sleeping = clock.sleep(1_000_000, controller.signal)
  controller.abort(new Error('woken'))
  await expect(sleeping).rejects.toThrow('woken')
  await clock.idle()
  expect(clock.now().getTime()).toBe(START_MS)
})

test('a clock that follows the real time is at it whenever nothing happens, and stands still while something does', async () => {
  const clock = new VirtualClock({ startMs: START_MS })
  await clock.sleep(60)
  expect(clock.now().getTime()).toBe(START_MS + 60_000)
  clock.follow()
  const beganMs = Date.now()
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(beganMs)
  await clock.during(async () => {
    const atMs = clock.now().getTime()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(clock.now().getTime()).toBe(atMs)
  })
  const ahead = clock.sleep(3_600).then(() => clock.now().getTime())
  expect(await ahead).toBeGreaterThanOrEqual(beganMs + 3_600_000)
})

test('a pace makes virtual seconds take real time', async () => {
  const clock = new VirtualClock({ startMs: START_MS, paceMs: 20 })
  const startedMs = performance.now()
  await clock.sleep(3)
  expect(performance.now() - startedMs).toBeGreaterThan(50)
})

test('a mailbox gives what came, or nothing after the time', async () => {
  const clock = new VirtualClock({ startMs: START_MS })
  const { signal } = new AbortController()
  const mailbox = new Mailbox<string>()
  void clock.sleep(3).then(() => mailbox.put('late'))
  expect(await mailbox.nextWithin(2, clock, signal)).toBeUndefined()
  expect(await mailbox.nextWithin(2, clock, signal)).toBe('late')
  expect(clock.now().getTime()).toBe(START_MS + 3_000)
})
