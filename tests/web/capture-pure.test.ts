// What the microphone hears, at the rate at which the voice platform is sent sound.

import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

interface Capture {
  port: { postMessage: (buffer: ArrayBuffer) => void }
  process(inputs: Float32Array[][]): boolean
}

/** What comes out of a second of sound, in blocks of 128 samples as browsers have them. */
async function captured(rate: number, sampleAt: (second: number) => number): Promise<Int16Array> {
  let made: (new () => Capture) | undefined
  const parts: Int16Array[] = []
  vi.stubGlobal('sampleRate', rate)
  vi.stubGlobal(
    'AudioWorkletProcessor',
    class {
      port = { postMessage: (buffer: ArrayBuffer) => void parts.push(new Int16Array(buffer)) }
    },
  )
  vi.stubGlobal('registerProcessor', (_name: string, processor: new () => Capture) => {
    made = processor
  })
  await import('../../web/agents/capture-worklet.ts')
  if (made === undefined) throw new Error('nothing was registered')
  const capture = new made()
  for (let block = 0; block < rate; block += 128) {
    const samples = Float32Array.from({ length: Math.min(128, rate - block) }, (_, at) => sampleAt((block + at) / rate))
    expect(capture.process([[samples]])).toBe(true)
  }
  expect(capture.process([])).toBe(true)
  return Int16Array.from(parts.flatMap((part) => [...part]))
}

it.each([16_000, 44_100, 48_000])('a tone of 440 Hz stays one when it is heard at %i Hz', async (rate) => {
  const sent = await captured(rate, (second) => Math.sin(2 * Math.PI * 440 * second) / 2)
  expect(sent.length).toBeGreaterThanOrEqual(14_400)
  expect(sent.length).toBeLessThanOrEqual(16_000)
  const rises = sent.filter((sample, at) => sample >= 0 && (sent[at - 1] ?? 0) < 0).length
  expect(Math.abs(rises - (440 * sent.length) / 16_000)).toBeLessThan(3)
  expect(Math.max(...sent)).toBeGreaterThan(15_800)
  expect(Math.max(...sent)).toBeLessThan(16_500)
})

it('sound that is too loud is cut at the loudest there is', async () => {
  const sent = await captured(48_000, (second) => (second < 0.5 ? 3 : -3))
  expect([Math.max(...sent), Math.min(...sent)]).toEqual([32_767, -32_767])
})
