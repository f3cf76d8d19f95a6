// Random domains find in the database exactly what an evaluator in memory finds, whatever their operators and nesting.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { foldText } from '../../../src/folded-text.ts'
import { TestApp } from '../../support/test-app.ts'

interface Meeting {
  id: number
  location: string | null
  allday: boolean
  start: string
  user_id: number | null
  partner_ids: number[]
}

type Condition = readonly [path: string, operator: string, value: unknown]
type Tree = Condition | { kind: '&' | '|'; left: Tree; right: Tree } | { kind: '!'; inner: Tree }

const RUNS = 150
const LOCATIONS = [null, 'berlin', 'bern', 'b_rn', 'b%n', 'BERN', 'zug', 'zürich', '\\']
const STARTS = ['2030-01-01 10:00:00', '2030-01-02 10:00:00', '2030-02-01 00:00:00']

let app: TestApp
let meetings: Meeting[]
let logins: Map<number, string>
let names: Map<number, string>

beforeAll(async () => {
  app = await TestApp.start()
  const people = [await app.person([], { login: 'anna' }), await app.person([], { login: 'ben' })]
  logins = new Map(people.map(({ userId }, at) => [userId, ['anna', 'ben'][at] ?? '']))
  const contacts = ['Ada', 'Bob', 'Cyd'].map((name) => ({ name }))
  const ids = await app.admin.ask<number[]>('res.partner', 'create', { vals_list: contacts })
  const users = [null, ...logins.keys()]
  const vals = LOCATIONS.flatMap((location, at) =>
    [0, 1, 2].map((turn) => ({
      name: 'Meeting',
      location,
      allday: (at + turn) % 2 === 0,
      start: STARTS[(at + turn) % STARTS.length],
      stop: '2031-01-01 00:00:00',
      user_id: users[turn],
      partner_ids: ids.filter((_id, bit) => (((at * 3 + turn) % 8) >> bit) % 2 === 1),
    })),
  )
  await app.admin.ask('calendar.event', 'create', { vals_list: vals })
  // An organiser's contact attends too.
  const known = await app.admin.ask<{ id: number; name: string }[]>('res.partner', 'search_read', { fields: ['name'] })
  names = new Map(known.map(({ id, name }) => [id, name]))
  meetings = await app.admin.ask<Meeting[]>('calendar.event', 'search_read', {
    fields: ['location', 'allday', 'start', 'partner_ids'],
    order: 'id',
  })
  const organisers = await app.admin.ask<{ user_id: [number] | null }[]>('calendar.event', 'search_read', {
    fields: ['user_id'],
    order: 'id',
  })
  for (const [at, meeting] of meetings.entries()) meeting.user_id = organisers[at]?.user_id?.[0] ?? null
})
afterAll(() => app.stop())

it('finds what the evaluator finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(trees(), { maxLength: 3 }), async (side) => {
      const expected = meetings.filter((meeting) => side.every((tree) => holds(tree, meeting))).map(({ id }) => id)
      const domain = side.flatMap(toDomain)
      expect(await app.admin.ask('calendar.event', 'search', { domain, order: 'id' })).toEqual(expected)
      expect(await app.admin.ask('calendar.event', 'search_count', { domain })).toBe(expected.length)
    }),
    { numRuns: RUNS },
  )
})

function trees(): fc.Arbitrary<Tree> {
  return fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      conditions(),
      fc.record({ kind: fc.constantFrom('&' as const, '|' as const), left: tie('tree'), right: tie('tree') }),
      fc.record({ kind: fc.constant('!' as const), inner: tie('tree') }),
    ),
  })).tree
}

function conditions(): fc.Arbitrary<Condition> {
  const text = fc.constantFrom(...LOCATIONS, 'b', 'er', '%', '_', 'B', '')
  const user = fc.constantFrom(0, 1, 2).map((at) => [null, ...logins.keys()][at])
  const partner = fc.constantFrom(0, 1, 2, 3, 4).map((at) => [...names.keys()][at])
  const start = fc.constantFrom(...STARTS, '2030-01-02', '2029-01-01T00:00:00Z')
  const order = fc.constantFrom('=', '!=', '<', '<=', '>', '>=')
  const equal = fc.constantFrom('=', '!=')
  const member = fc.constantFrom('in', 'not in')
  const like = fc.constantFrom('like', 'not like', 'ilike', 'not ilike')
  const some = (value: fc.Arbitrary<unknown>) => fc.array(value, { maxLength: 3 })
  return fc.oneof(
    fc.tuple(fc.constant('location'), equal, text),
    fc.tuple(fc.constant('location'), member, some(text)),
    fc.tuple(fc.constant('location'), like, fc.constantFrom('b', 'er', '%', '_', 'B', 'ü', '\\', '')),
    fc.tuple(fc.constant('allday'), equal, fc.boolean()),
    fc.tuple(fc.constant('allday'), member, some(fc.boolean())),
    fc.tuple(fc.constant('start'), order, start),
    fc.tuple(fc.constant('start'), member, some(fc.constantFrom(...STARTS))),
    fc.tuple(fc.constant('user_id'), equal, user),
    fc.tuple(fc.constant('user_id'), member, some(user)),
    fc.tuple(fc.constant('user_id.login'), fc.oneof(equal, like), fc.constantFrom('anna', 'ben', 'nn')),
    fc.tuple(fc.constant('partner_ids'), member, some(partner)),
    fc.tuple(fc.constant('partner_ids'), equal, fc.oneof(partner, fc.constantFrom(false, null))),
    fc.tuple(fc.constant('partner_ids'), like, fc.constantFrom('Ada', 'b', 'Z')),
    fc.tuple(fc.constant('partner_ids.name'), equal, fc.constantFrom('Ada', 'Bob')),
    fc.tuple(fc.constant('id'), order, fc.integer({ min: -1, max: 30 })),
  ) as fc.Arbitrary<Condition>
}

function toDomain(tree: Tree): unknown[] {
  if (!('kind' in tree)) return [tree]
  if (tree.kind === '!') return ['!', ...toDomain(tree.inner)]
  return [tree.kind, ...toDomain(tree.left), ...toDomain(tree.right)]
}

function holds(tree: Tree, meeting: Meeting): boolean {
  if (!('kind' in tree)) return fits(tree, meeting)
  if (tree.kind === '!') return !holds(tree.inner, meeting)
  const [left, right] = [holds(tree.left, meeting), holds(tree.right, meeting)]
  return tree.kind === '&' ? left && right : left || right
}

function fits([path, operator, value]: Condition, meeting: Meeting): boolean {
  const { user_id: user, partner_ids: partners, start } = meeting
  switch (path) {
    case 'location':
    case 'allday':
    case 'id':
      return compare(meeting[path], operator, value)
    case 'start':
      return compare(start, operator, Array.isArray(value) ? value : moment(String(value)))
    case 'user_id':
      return compare(user, operator, value)
    case 'user_id.login':
      return user !== null && compare(logins.get(user) ?? '', operator, value)
    case 'partner_ids.name':
      return partners.some((id) => compare(names.get(id) ?? '', operator, value))
    default:
      return fitsPartners(partners, operator, value)
  }
}

/** A negation speaks of all that are linked, and not of one of them. */
function fitsPartners(partners: readonly number[], operator: string, value: unknown): boolean {
  if (value === false || value === null) return (operator === '=') === (partners.length === 0)
  const isNegative = operator === '!=' || operator.startsWith('not ')
  const positive = operator === '!=' ? '=' : operator.replace('not ', '')
  const isLike = positive.endsWith('like')
  const found = partners.some((id) => compare(isLike ? (names.get(id) ?? '') : id, positive, value))
  return found !== isNegative
}

function compare(stored: string | number | boolean | null, operator: string, value: unknown): boolean {
  const known = stored ?? null
  switch (operator) {
    case '=':
      return known === nothing(value, known)
    case '!=':
      return known !== nothing(value, known)
    case 'in':
      return (value as unknown[]).some((each) => known === nothing(each, known))
    case 'not in':
      return !compare(stored, 'in', value)
    case 'like':
      return known !== null && String(known).includes(String(value))
    case 'ilike':
      return known !== null && foldText(String(known)).includes(foldText(String(value)))
    case 'not like':
    case 'not ilike':
      return !compare(stored, operator.slice('not '.length), value)
    default:
      return known !== null && inOrder(known, operator, value as never)
  }
}

/** An empty text and false stand for no value, except on a field that is true or false itself. */
function nothing(value: unknown, stored: unknown): unknown {
  return typeof stored !== 'boolean' && (value === '' || value === false) ? null : value
}

function inOrder<Kind extends string | number | boolean>(stored: Kind, operator: string, value: Kind): boolean {
  if (operator === '<') return stored < value
  if (operator === '<=') return stored <= value
  return operator === '>' ? stored > value : stored >= value
}

function moment(text: string): string {
  return text.length === 10 ? `${text} 00:00:00` : text.replace('T', ' ').replace('Z', '')
}
