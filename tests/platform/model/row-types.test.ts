import { expect, expectTypeOf, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { param, statement } from '../../../src/database/statement.ts'
import { char, computed, integer, json, many2one, one2many, selection } from '../../../src/platform/model/fields.ts'
import { defineModel, type RowOf } from '../../../src/platform/model/model.ts'
import { columnsOf, insert, saveMany } from '../../../src/platform/model/statements.ts'

const lampModel = defineModel({
  name: 'house.lamp',
  label: 'Lamp',
  order: 'id',
  fields: {
    name: char('Name', { required: true, isUnique: true }),
    watts: integer('Watts'),
    room: many2one('Room', 'house.room'),
    colour: selection('Colour', ['warm', 'cold'], { required: true }),
    mode: selection('Mode', [
      ['on', 'Is on'],
      ['off', 'Is off'],
    ]),
    notes: json('Notes'),
    bulbs: one2many('Bulbs', 'house.bulb', 'lamp'),
    is_bright: computed('Is bright', 'boolean', { depends: ['watts'], compute: (_env, rows) => rows.map(() => true) }),
  },
})

test('a row has the columns of its model, and their types', () => {
  expectTypeOf<RowOf<typeof lampModel>>().toEqualTypeOf<{
    id: number
    name: string
    watts: number | null
    room: number | null
    colour: 'warm' | 'cold'
    mode: 'on' | 'off' | null
    notes: unknown
    create_date: string
    write_date: string
    create_uid: number | null
    write_uid: number | null
  }>()
  expectTypeOf<RowOf<typeof lampModel, 'id' | 'watts'>>().toEqualTypeOf<{ id: number; watts: number | null }>()
  // @ts-expect-error a model has no row of columns that it does not declare
  expectTypeOf<RowOf<typeof lampModel, 'wats'>>().toBeObject()
})

test('an insert is written from the columns, each with its type', () => {
  const added = insert(lampModel, { name: 'lamp_add', columns: ['name', 'watts', 'notes'], returning: ['id'] })
  expect(added.text).toBe(
    'insert into "house_lamp" ("name", "watts", "notes") values ($1::text, $2::integer, $3::jsonb) returning "id"',
  )
  expect(added.values({ name: 'Desk', watts: null, notes: '{}' })).toEqual(['Desk', null, '{}'])
  expectTypeOf(added.row).toEqualTypeOf<{ id: number } | undefined>()
  // @ts-expect-error a column that the model does not declare
  expect(() => insert(lampModel, { name: 'lamp_wrong', columns: ['wats'] })).toThrow('house.lamp has no column wats')
  // @ts-expect-error a field that is no column
  expect(() => insert(lampModel, { name: 'lamp_many', columns: ['bulbs'] })).toThrow('house.lamp has no column bulbs')
})

test('rows that are there are changed as their columns say, and the others added', () => {
  const saved = saveMany(lampModel, {
    name: 'lamp_save',
    columns: ['name', 'watts', 'room', 'colour', 'mode', 'create_uid'],
    merge: { room: 'first', mode: 'last', create_uid: 'never' },
  })
  expect(saved.text).toContain(
    'set "name" = g."name", "watts" = g."watts", "room" = coalesce(s."room", g."room"), "colour" = g."colour", ' +
      '"mode" = coalesce(g."mode", s."mode"), write_date = ',
  )
  // @ts-expect-error a column that the model does not declare
  expect(() => saveMany(lampModel, { name: 'lamp_wrong_save', columns: ['wats'] })).toThrow('has no column wats')
  // @ts-expect-error nobody could see which of the rows are there
  expect(saved.values({ rows: [{ name: 'Desk' }] })).toHaveLength(1)
})

test('a parameter that is not given throws, and does not compile', () => {
  const added = insert(lampModel, { name: 'lamp_part', columns: ['name', 'watts', 'colour'] })
  // @ts-expect-error watts is missing
  expect(() => added.values({ name: 'Desk', colour: 'warm' })).toThrow('lamp_part was not given its parameter "watts"')
  // @ts-expect-error no colour of the model
  expect(added.values({ name: 'Desk', colour: 'green', watts: 1 })).toEqual(['Desk', 1, 'green'])

  const found = statement<{ id: number }, { name: string }>('lamp_find', sql`select id where name = ${param('name')}`)
  // @ts-expect-error a name that is undefined
  expect(() => found.values({ name: undefined })).toThrow('lamp_find was not given its parameter "name"')
})

test('parameters of any name do not compile', () => {
  // @ts-expect-error nobody could see which parameters are missing
  const any = statement<never, Record<string, unknown>>('lamp_any', sql`select ${param('name')}`)
  expect(() => any.values({} as never)).toThrow('lamp_any was not given its parameter "name"')
  // @ts-expect-error the same beside names
  statement<never, { [other: string]: unknown; name: string }>('lamp_some', sql`select ${param('name')}`)
})

test('an insert leaves a row of the same key as it is, or depends on a condition', () => {
  const once = insert(lampModel, { name: 'lamp_once', columns: ['name', 'colour'], once: 'name', returning: ['id'] })
  expect(once.text).toBe(
    'insert into "house_lamp" ("name", "colour") values ($1::text, $2::text) on conflict ("name") do nothing returning "id"',
  )
  const when = insert(lampModel, { name: 'lamp_when', columns: ['name'], when: sql`${param('name')}::text <> 'none'` })
  expect(when.text).toBe(`insert into "house_lamp" ("name") select $1::text where $2::text <> 'none'`)
  expect(when.values({ name: 'Desk' })).toEqual(['Desk', 'Desk'])
  // @ts-expect-error a key that is not among the columns
  insert(lampModel, { name: 'lamp_twice', columns: ['name'], once: 'watts' })
})

test('columns are named for a query by the model', () => {
  const found = statement('lamp_columns', sql`select ${columnsOf(lampModel, ['id', 'name'], 'l')} from house_lamp l`)
  expect(found.text).toBe('select "l"."id", "l"."name" from house_lamp l')
})
