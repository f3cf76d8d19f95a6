import { expect, test } from 'vitest'
import type { Env } from '../../../src/platform/access/env.ts'
import { extend } from '../../../src/platform/model/extend.ts'
import { char } from '../../../src/platform/model/fields.ts'
import { defineModel } from '../../../src/platform/model/model.ts'

const house = defineModel({ name: 'house', label: 'House', order: 'id', fields: { name: char('Name') } })
const method = { label: 'Ring', operation: 'read', args: {}, run: async () => null } as never

test('fields of an extension stand before those that every record has', () => {
  const { fields } = extend(house, { fields: { street: char('Street') } }, { fields: { town: char('Town') } })
  expect(Object.keys(fields)).toEqual([
    'name',
    'street',
    'town',
    'create_date',
    'write_date',
    'create_uid',
    'write_uid',
    'write_stamp',
  ])
})

test('a name that is given twice is refused', () => {
  expect(() => extend(house, { fields: { name: char('Name') } })).toThrow('house has the field "name" twice')
  const ring = { methods: { ring: method } }
  expect(() => extend(house, ring, ring)).toThrow('house has the method "ring" twice')
})

test('what saving sets off happens in the order of the extensions', async () => {
  const done: string[] = []
  const first = { ...house, saved: async () => void done.push('own') }
  const step = (name: string) => ({ onSave: async () => void done.push(name) })
  await extend(first, step('first'), {}, step('second')).saved?.({} as Env, {} as never)
  expect(done).toEqual(['own', 'first', 'second'])
})

test('what removing sets off happens in the opposite order', async () => {
  const done: string[] = []
  const first = { ...house, removing: async () => void done.push('own') }
  const step = (name: string) => ({ onRemove: async () => void done.push(name) })
  await extend(first, step('first'), {}, step('second')).removing?.({} as Env, [])
  expect(done).toEqual(['second', 'first', 'own'])
})
