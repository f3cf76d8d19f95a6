import { describe, expect, it } from 'vitest'
import { AREAS } from '../../src/app/areas.ts'
import { createModels, describedModels } from '../../src/app/models.ts'

const models = createModels()

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
})
