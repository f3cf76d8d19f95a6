// Which pushes saving and removing records queues, as the declaration of a resource says it.
import { describe, expect, it } from 'vitest'
import type { Env } from '../../src/platform/access/env.ts'
import { extend } from '../../src/platform/model/extend.ts'
import { char, many2one } from '../../src/platform/model/fields.ts'
import { defineModel, type Model, type Values } from '../../src/platform/model/model.ts'
import type { ProviderRules } from '../../src/sync/provider.ts'
import { queuedBy } from '../../src/sync/queued-pushes.ts'

const street = defineModel({ name: 'street', label: 'Street', order: 'id', fields: { name: char('Name') } })
const house = defineModel({
  name: 'house',
  label: 'House',
  order: 'id',
  fields: { name: char('Name'), colour: char('Colour'), street: many2one('Street', 'street') },
})
const PROVIDER = { area: 'telco', findObstacle: () => undefined } as unknown as ProviderRules

const HOUSES = {
  kind: 'house',
  model: house,
  pushedOn: ['name', 'street'],
  pushedWith: [{ model: street, saved: async () => [5, 6], removing: async () => [7] }],
  removal: { read: async (_env: Env, ids: readonly number[]) => ids.map((id) => ({ uid: `H${id}` })) },
}

type Declared = Parameters<typeof queuedBy>[2]

/** What is queued while work is done with a model. */
async function queued(
  work: 'create' | 'write' | 'remove',
  {
    model = house,
    values = {},
    declared = HOUSES,
    provider = PROVIDER,
  }: { model?: Model; values?: Values; declared?: Declared; provider?: ProviderRules } = {},
): Promise<object[]> {
  const payloads: object[] = []
  const env = {
    platform: { enqueue: async (_tx: unknown, { payload }: { payload: object }) => void payloads.push(payload) },
  } as unknown as Env
  const extended = extend(model, ...queuedBy(model.name, provider, declared))
  if (work === 'remove') await extended.removing?.(env, [3, 4])
  else await extended.saved?.(env, { id: 3, values, isNew: work === 'create', previous: undefined })
  return payloads
}

describe('a saved record', () => {
  it('a saved record is pushed when a field changes that the provider has', async () => {
    expect(await queued('write', { values: { name: 'Mill' } })).toEqual([{ kind: 'house', id: 3 }])
  })

  it('a saved record is not pushed when any other field changes', async () => {
    expect(await queued('write', { values: { colour: 'red' } })).toEqual([])
  })

  it('a new record is pushed whatever it says', async () => {
    expect(await queued('create', { values: { colour: 'red' } })).toEqual([{ kind: 'house', id: 3 }])
  })

  it('a declaration may have a rule in place of fields', async () => {
    const declared: Declared = { ...HOUSES, pushedOn: ({ values }) => values.colour === 'red' }
    expect(await queued('create', { values: { name: 'Mill' }, declared })).toEqual([])
    expect(await queued('write', { values: { colour: 'red' }, declared })).toEqual([{ kind: 'house', id: 3 }])
  })

  it('a record of another model pushes those that have something of it', async () => {
    const pushes = [5, 6].map((id) => ({ kind: 'house', id }))
    expect(await queued('write', { model: street, values: { name: 'Mill Lane' } })).toEqual(pushes)
  })

  it('a kind may queue its pushes in a way of its own', async () => {
    const marked: unknown[] = []
    const queue: Declared['queue'] = async (_env, ids) => void marked.push(...ids)
    expect(await queued('create', { declared: { ...HOUSES, queue } })).toEqual([])
    expect(marked).toEqual([3])
  })

  it('the settings keep records from the provider, unless they are new and needed at once', async () => {
    const provider = { ...PROVIDER, queuesOnSave: async (_env: Env, isNeeded: boolean) => isNeeded }
    const declared: Declared = { ...HOUSES, isNeededAtOnce: true }
    expect(await queued('create', { provider })).toEqual([])
    expect(await queued('create', { provider, declared })).toEqual([{ kind: 'house', id: 3 }])
    expect(await queued('write', { provider, declared, values: { name: 'Mill' } })).toEqual([])
    expect(await queued('remove', { provider, declared })).toEqual([])
  })
})

describe('records that are about to go', () => {
  it('what was read of a removed record is queued for the provider', async () => {
    const removals = ['H3', 'H4'].map((uid) => ({ kind: 'remove-house', uid }))
    expect(await queued('remove')).toEqual(removals)
  })

  it('a record that goes is removed before others of its model are pushed', async () => {
    const declared: Declared = { ...HOUSES, pushedWith: [{ model: house, removing: async () => [9] }] }
    const kinds = (await queued('remove', { declared })).map((push) => ('kind' in push ? push.kind : undefined))
    expect(kinds).toEqual(['remove-house', 'remove-house', 'house'])
  })

  it('a record of another model that goes pushes those that had something of it', async () => {
    expect(await queued('remove', { model: street })).toEqual([{ kind: 'house', id: 7 }])
  })
})

it('a field that the model has not is refused when the service is put together', () => {
  const declared: Declared = { ...HOUSES, pushedOn: ['name', 'storeys'] }
  expect(() => queuedBy('house', PROVIDER, declared)).toThrow('house has no field "storeys" to push')
})
