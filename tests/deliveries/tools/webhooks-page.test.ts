// The page of the webhooks says of each tool what its declaration says.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CALENDAR_TOOLS } from '../../../src/calendar/tools/tools.ts'
import { helpdeskTools } from '../../../src/helpdesk/tools/tools.ts'
import { CALL_TOOLS } from '../../../src/voiceai/tools/tools.ts'
import { root } from '../../support/source-files.ts'

const TOOLS = [...CALL_TOOLS, ...CALENDAR_TOOLS, ...helpdeskTools.tools]
/** Of the cells, `| path | takes | answers |`; a name in the page ends with ? when it may be left out. */
const rows = readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | '))

test.each(TOOLS)('docs/webhooks.md names what $path takes and answers', ({ path: address, input, reply }) => {
  const [, takes = '', answers = ''] = rows.find(([cell]) => cell === `| \`${address.slice(1)}\``) ?? []
  const named = [...takes.matchAll(/`([a-z_]+)(\??)`/g)].map(([, name = '', mark]) => ({
    name,
    isRequired: mark === '',
  }))
  const declared = Object.entries(input).map(([name, { isRequired }]) => ({ name, isRequired }))
  expect(named.map(({ name }) => name).sort()).toEqual(declared.map(({ name }) => name).sort())
  const isAnyOf = takes.includes('at least one of')
  if (!isAnyOf) expect(named).toEqual(expect.arrayContaining(declared))
  expect(Object.keys(reply.properties).filter((name) => !answers.includes(`"${name}"`))).toEqual([])
})
