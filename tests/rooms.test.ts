// A table has one owner: the room that declares its model. Others call what that room exports.
import { expect, test } from 'vitest'
import { readSources, type Sources } from './support/source-files.ts'
import { findOwners, findTrespasses } from './support/table-owners.ts'

const src = readSources((file) => /^src\/.*\.ts$/.test(file))
const owners = findOwners(src)

test('a table is written by its own room, and read on its own floor or above', () => {
  expect(findTrespasses(src, owners)).toEqual([])
})

test('every table of the schema has an owner', () => {
  const migrations = [...readSources((file) => /^src\/database\/migrations\/.*\.sql$/.test(file)).values()].join('\n')
  const named = (pattern: RegExp) => [...migrations.matchAll(pattern)].map(([, table]) => table)
  const dropped = named(/drop table (?:if exists )?"(\w+)"/gi)
  const tables = named(/create table "(\w+)"/gi).filter((table) => !dropped.includes(table))
  expect(tables.length).toBeGreaterThan(50)
  expect(tables.filter((table) => !owners.has(table ?? ''))).toEqual([])
})

const DECLARATIONS: Sources = new Map([
  ['src/ledger/calls/call.ts', "export const callModel = defineModel({\n  name: 'connect.call',\n})"],
  ['src/telco/numbers/number.ts', "defineModel({ name: 'connect.telco_number', tags: { table: 'number_tags_rel' } })"],
  ['src/telco/applications/application.ts', "defineModel({ name: 'connect.telco_markup' })"],
  ['src/calendar/models.ts', "defineModel({ name: 'calendar.event' })"],
])

test.each([
  ['an insert by a sibling room', 'src/ledger/legs/a.ts', 'sql`insert into connect_call (id) values (1)`'],
  ['an update by a sibling room', 'src/ledger/legs/a.ts', 'sql`with a as (update connect_call set x = 1) select 1`'],
  ['a delete over two lines', 'src/ledger/legs/a.ts', 'sql`delete from\n  connect_call`'],
  ['a write from a higher floor', 'src/telco/calls/a.ts', 'sql`update connect_call set x = 1`'],
  ['a write by the top of the own area', 'src/telco/seed.ts', 'sql`insert into connect_telco_number default values`'],
  ['a read after a comma', 'src/helpdesk/tools/a.ts', 'sql`select 1 from helpdesk_ticket h, connect_telco_number n`'],
  ['a name that may be written to', 'src/telco/calls/a.ts', "sql.identifier('connect_call')"],
  ['a name in a constant', 'src/telco/calls/a.ts', "const TABLE = 'connect_call'"],
  ['a pair of a relation', 'src/telco/calls/a.ts', 'sql`delete from number_tags_rel`'],
  ['a read from a lower floor', 'src/ledger/legs/a.ts', 'sql`select 1 from connect_telco_number`'],
  ['a read by a sibling area', 'src/helpdesk/tickets/a.ts', 'sql`select 1 from x join connect_call c on true`'],
  ['the directory reading markup', 'src/directory/a.ts', 'sql`select 1 from connect_telco_markup`'],
  ['a read by the tools beside telco', 'src/helpdesk/tools/a.ts', 'sql`select 1 from connect_telco_number`'],
])('the rooms refuse %s', (_what, file, text) => {
  expect(findTrespasses(new Map([[file, text]]), findOwners(DECLARATIONS))).toHaveLength(1)
})

test.each([
  ['a write by the own room', 'src/ledger/calls/b.ts', 'sql`update connect_call set x = 1`'],
  ['a write inside an area that declares on top', 'src/calendar/slots/b.ts', 'sql`delete from calendar_event`'],
  ['a read inside the area', 'src/ledger/legs/b.ts', 'sql`select c.id from connect_call c for update of c`'],
  ['the directory reading who can be reached', 'src/directory/a.ts', 'sql`select 1 from connect_telco_number`'],
  ['a read from above', 'src/telco/calls/b.ts', 'sql`select 1 from connect_call`'],
  ['a comment', 'src/platform/records/b.ts', '// update connect_call'],
  ['a channel of that name', 'src/deliveries/b.ts', "await db.notify('connect_call', '')"],
  ['what listens to that channel', 'src/deliveries/b.ts', "  readonly channels = ['connect_call'] as const"],
  ['a column of that name', 'src/platform/b.ts', "sql`(id, connect_call) values`, param('connect_call')"],
  ['a column that begins like a table', 'src/platform/b.ts', 'sql`select connect_call_id, t.connect_call from a`'],
])('the rooms allow %s', (_what, file, text) => {
  expect(findTrespasses(new Map([[file, text]]), findOwners(DECLARATIONS))).toEqual([])
})
