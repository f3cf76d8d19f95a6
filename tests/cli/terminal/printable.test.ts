import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createOutput } from '../../../src/cli/terminal/output.ts'

/** What a stranger may send as their name: a title, a cleared screen, a line over the one before, text turned around. */
const NAME = 'Zoe\u001b]0;owned\u0007\u001b[2J\r\u009b1A\u202eevil\u0000\u007f'
/** What a terminal obeys. */
const OBEYED = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u

test.each(['text', 'json', 'csv'] as const)(
  'names, messages and errors of strangers move no cursor (%s)',
  async (format) => {
    const out = new PassThrough()
    const output = createOutput(format, out)
    output.rows([{ name: NAME, note: `${NAME}\n${NAME}` }], ['name', 'note'])
    output.value({ name: NAME })
    output.say(NAME)
    output.done(NAME, { name: NAME })
    out.end()
    const shown = await text(out)
    expect(shown).toContain('Zoe')
    expect(shown).toContain('evil')
    expect(shown).not.toMatch(OBEYED)
  },
)

test('a JSON document is the same one after it was made printable', async () => {
  const out = new PassThrough()
  createOutput('json', out).value({ name: NAME })
  out.end()
  expect(JSON.parse(await text(out))).toEqual({ name: NAME })
})
