// What the pages and the command line say of settings is what the areas declare.
import { expect, test } from 'vitest'
import { settingsModel } from '../../src/app/settings.ts'
import { readConfig } from '../../src/config.ts'
import type { Field } from '../../src/platform/model/fields.ts'
import { OWN_FIELDS } from '../../src/platform/model/model.ts'
import { readSources } from '../support/source-files.ts'

const SHOWN_CHARS_MAX = 20
const page = readSources((file) => file === 'docs/configuration.md').get('docs/configuration.md') ?? ''
const [environment = '', settings = ''] = page.split('\n## Settings\n')

/** Name and default of each row of a table; a row may be of several names, and their defaults stand in the same order. */
function readTable(text: string): [name: string, shownDefault: string][] {
  return [...text.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|([^|]*)\|/gm)].flatMap(([, names = '', defaults = '']) => {
    const each = defaults.split(',').map((one) => one.trim().replaceAll('`', ''))
    return names.split(', ').map((name, at): [string, string] => [name.replaceAll('`', ''), each[at] ?? each[0] ?? ''])
  })
}

function shownDefault({ kind, default: value }: Field): string | undefined {
  if (kind === 'boolean') return value === true ? 'on' : 'off'
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return String(value).length > SHOWN_CHARS_MAX ? '…' : String(value)
}

test('the page of the configuration names every setting that is written, with its default', () => {
  const written = Object.entries(settingsModel.fields).filter(
    ([name, field]) => field.readonly !== true && field.kind !== 'computed' && !(name in OWN_FIELDS),
  )
  const table = readTable(settings)
  expect(table.map(([name]) => name).sort()).toEqual(written.map(([name]) => name).sort())
  const defaults = new Map(table)
  for (const [name, field] of written) {
    const wanted = shownDefault(field)
    if (wanted !== undefined) expect(`${name}: ${defaults.get(name)}`).toBe(`${name}: ${wanted}`)
  }
})

test('the page of the configuration names every variable that is read', () => {
  const asked = new Set<string>()
  const env = new Proxy({}, { get: (_env, name) => void asked.add(String(name)) })
  readConfig(env)
  expect(
    readTable(environment)
      .map(([name]) => name)
      .sort(),
  ).toEqual([...asked].sort())
})

test('the doctor knows no setting that there is not', () => {
  const file = readSources((each) => each === 'src/app/checks/finding.ts').get('src/app/checks/finding.ts') ?? ''
  const [, body = ''] = /interface Installed \{([^}]*)\}/.exec(file) ?? []
  const named = [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => name !== 'id' && !Object.hasOwn(settingsModel.fields, name))).toEqual([])
})
