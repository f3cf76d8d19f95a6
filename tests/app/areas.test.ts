import { describe, expect, it } from 'vitest'
import { AREAS } from '../../src/app/areas.ts'
import { createModels, describedModels } from '../../src/app/models.ts'
import { readSources } from '../support/source-files.ts'

const models = createModels()
/** Lists the areas, and makes what they share. */
const PUTS_TOGETHER = ['app-area.ts', 'areas.ts', 'build.ts', 'parts.ts'].map((name) => `src/app/${name}`)
const ROOM = /from '(?:\.\.\/)+(?:telco|voiceai|helpdesk|calendar|contacts|ledger)\//
/** Of the floors below: each area rests on them. */
const BELOW = /^(?:connect\.settings|res\.users|mail\.|ir\.|connect\.(?:inbox|delivery|check_run|sync_run)$)/

describe('the areas', () => {
  it('each model is declared by one area', () => {
    const names = AREAS.flatMap(({ models: own = [] }) => own.map(([{ name }]) => name))
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect([...models].map(({ name }) => name).sort()).toEqual([...names, 'connect.settings'].sort())
  })

  it('an area adds fields, methods and writers to models that there are', () => {
    const named = AREAS.flatMap(({ extensions = {}, writers = {} }) => [
      ...Object.keys(extensions),
      ...Object.keys(writers),
    ])
    expect(named.filter((name) => !models.has(name))).toEqual([])
  })

  it('what people have a provider or the service do is a method of its model', () => {
    const methods = Object.keys(describedModels().get('connect.settings').methods ?? {})
    expect(methods).toEqual(expect.arrayContaining(['telco_sync', 'telco_balance', 'make_backup', 'run_checks']))
  })

  it('what of the app names rooms or models of areas is what the architecture says', () => {
    const page = readSources((file) => file === 'docs/architecture.md').get('docs/architecture.md') ?? ''
    const said = page.split('**Some of `app/` names models of areas**')[1]?.split('\n\n')[0] ?? ''
    const listed = [...said.matchAll(/`(app\/[\w/.-]+)`/g)].map(([, place = '']) => `src/${place}`)
    const naming = [...readSources((file) => /^src\/app\/.*\.ts$/.test(file) && !PUTS_TOGETHER.includes(file))]
      .filter(([, text]) => ROOM.test(text) || [...models].some(({ name, table }) => namesModel(text, name, table)))
      .map(([file]) => file)
    expect(naming.filter((file) => !listed.some((place) => file.startsWith(place)))).toEqual([])
    expect(listed.filter((place) => !naming.some((file) => file.startsWith(place)))).toEqual([])
  })
})

function namesModel(text: string, name: string, table: string): boolean {
  return (
    !BELOW.test(name) &&
    (text.includes(`'${name}'`) || new RegExp(`\\b(?:from|join|update|into) ${table}\\b`).test(text))
  )
}
